import { mount } from "svelte";
import App from "./App.svelte";
import "./tokens.css";
import "./tokens-more.css";
import "./screen.css";

mount(App, { target: document.getElementById("app")! });
