import type { Cue, Voice } from "../../lib/sound.ts";

const row = (count: number, each: (i: number) => Voice): Cue => Array.from({ length: count }, (_, i) => each(i));

/** The sounds of the hunt. Each has a twin to be seen. */
export const cues = {
  feet: row(4, (i) => ({ wave: "noise", hz: 320 + 60 * (i % 2), at: i * 55, ms: 60, gain: 0.22 })),
  bolts: (count: number): Cue => row(count, (i) => ({ wave: "triangle", hz: 247 * 1.19 ** i, to: 185 * 1.19 ** i, at: i * 200, ms: 120, gain: 0.24 })),
  patter: (count: number): Cue => [
    ...row(Math.min(3 * count, 24), (i) => ({ wave: "noise", hz: 900 + 200 * (i % 3), at: i * 42, ms: 34, gain: 0.1 })),
    ...row(Math.min(count, 12), (i) => ({ wave: "sine", hz: 523 * 1.06 ** i, at: 260 + i * 70, ms: 90, gain: 0.1 })),
  ],
  sniff: row(2, (i) => ({ wave: "noise", hz: 2600, at: i * 130, ms: 70, gain: 0.1 })),
  carousel: row(6, (i) => ({ wave: "triangle", hz: [392, 494, 587, 784, 587, 784][i]!, at: i * 110, ms: 260, gain: 0.12 })),
  seeds: row(5, (i) => ({ wave: "noise", hz: 3800 - 300 * i, at: i * 60, ms: 40, gain: 0.1 })),
};
