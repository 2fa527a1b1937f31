/** Short messages at the edge; each goes by itself. */
import { untrack } from "svelte";
import { Refusal } from "./api.ts";
import { t } from "./words.svelte.ts";

export interface Toast {
  id: number;
  text: string;
  kind: "" | "good" | "bad";
}

class Toasts {
  all = $state.raw<Toast[]>([]);
  private count = 0;

  show(text: string, kind: Toast["kind"] = "", ms = 4000) {
    const toast = { id: ++this.count, text, kind };
    const before = untrack(() => this.all); // said in an effect, it must not call the effect again
    this.all = [...before.filter((each) => each.text !== text), toast].slice(-3);
    setTimeout(() => (this.all = this.all.filter((each) => each !== toast)), ms);
  }

  /** A refusal, in words. What only we can cause is thrown on. */
  refused(error: unknown) {
    if (!(error instanceof Refusal)) throw error;
    this.show(inWords(error.code), "bad");
  }
}

export const inWords = (code: string) => t().common.refusals[code] ?? t().common.refused;
export const toasts = new Toasts();
