import { mount } from "svelte";
import App from "./App.svelte";
import sprite from "./art/sprite.svg?raw";
import { drawing } from "./lib/trusted.ts";
import "./tokens.css";
import "./tokens-more.css";
import "./screen.css";

mount(App, { target: document.getElementById("app")! });
// what is drawn comes right after what is written, in a breath of its own: a slow phone shows words sooner
setTimeout(() => document.body.insertAdjacentHTML("beforeend", drawing(sprite)));
