/** Who sits at a table, in words. */
import type { TableInfo } from "../made/messages.ts";
import { t } from "./words.svelte.ts";

/** By seat. Bots are called by their level; two of a kind get numbers. */
export function names(info: TableInfo): string[] {
  const words = t().common;
  const plain = info.seats.map((seat) =>
    seat.kind === "bot" ? words.bot(words.levels[seat.level] ?? seat.level) : seat.kind === "open" ? words.open : seat.name || words.guest,
  );
  return plain.map((name, seat) => {
    const before = plain.slice(0, seat).filter((other) => other === name).length;
    const more = plain.filter((other) => other === name).length > 1;
    return info.seats[seat]!.kind === "bot" && more ? `${name} ${before + 1}` : name;
  });
}

/** The others, in the order they sit, from our left on; without us all of them. */
export function others(info: TableInfo, you: number): number[] {
  const seats = info.seats.map((_, seat) => seat);
  return you < 0 ? seats : [...seats.slice(you + 1), ...seats.slice(0, you)];
}
