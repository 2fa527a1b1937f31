/** Reading aloud, for those who cannot read yet: only if somebody has asked for it on this device. */
import { memory, prefs } from "../../lib/prefs.svelte.ts";

const VOICES = { de: "de-DE", en: "en-GB" } as const;

class Speech {
  readonly possible = "speechSynthesis" in window;
  on = $state(memory.get("aloud") === "on");
  heard = $derived(this.possible && this.on && prefs.sound);

  toggle = () => {
    this.on = !this.heard;
    memory.set("aloud", this.on ? "on" : "off");
    if (!this.on) speechSynthesis.cancel();
    else if (!prefs.sound) prefs.toggle("sound"); // who wants to hear the words wants to hear
  };

  say(words: string) {
    if (!this.heard) return;
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.lang = VOICES[prefs.language];
    speechSynthesis.cancel(); // what is now is worth more than what was
    speechSynthesis.speak(utterance);
  }
}

export const speech = new Speech();
