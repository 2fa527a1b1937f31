/** Giving away: a link by the device's own way of sharing, or into the clipboard; a file into its downloads. */
import { copy } from "./lobby.svelte.ts";

export async function share(title: string, url: string) {
  if (navigator.share) await navigator.share({ title, text: title, url }).catch(() => undefined); // somebody thought better of it
  else await copy(url);
}

export function save(name: string, content: unknown) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 1)], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
