/** Whether anybody races at a table with these options: only then referee and head starts mean something. */
import type { Made } from "./words.svelte.ts";

export function racing(made: Made, options: Record<string, unknown>): boolean {
  const race = made.facts.race as { unless: Record<string, unknown> } | undefined;
  return !!race && !Object.entries(race.unless).some(([name, choice]) => options[name] === choice);
}
