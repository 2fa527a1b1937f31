import type { Cue } from "../../lib/sound.ts";

const wings: Cue = Array.from({ length: 5 }, (_, i) => ({ wave: "noise", hz: 420, at: i * 150, ms: 130, gain: 0.22 - i * 0.03 }) as const);

export const sounds = {
  squeak: [
    { wave: "noise", hz: 2200, ms: 90, gain: 0.25 },
    { wave: "sine", hz: 1500, to: 2400, at: 120, ms: 90, gain: 0.08 },
  ],
  croak: [
    { wave: "noise", hz: 2200, ms: 90, gain: 0.25 },
    { wave: "sawtooth", hz: 150, to: 95, at: 120, ms: 220, gain: 0.07 },
  ],
  flap: [{ wave: "noise", hz: 1800, ms: 140, gain: 0.4 }],
  shuffle: [0, 60, 130].map((at) => ({ wave: "noise", hz: 2600, at, ms: 40, gain: 0.07 }) as const),
  up: [
    { wave: "triangle", hz: 659, ms: 120, gain: 0.2 },
    { wave: "triangle", hz: 831, at: 110, ms: 260, gain: 0.22 },
  ],
  down: [
    { wave: "triangle", hz: 415, ms: 120, gain: 0.2 },
    { wave: "triangle", hz: 330, at: 110, ms: 300, gain: 0.22 },
  ],
  crunch: [0, 70, 130, 220].map((at, i) => ({ wave: "noise", hz: 900 + i * 260, at, ms: 60, gain: 0.22 }) as const),
  wings,
} satisfies Record<string, Cue>;

/** One voice more for each card that stays. */
export const pot = (cards: number): Cue => [196, 247, 294, 370, 440, 523].slice(0, 2 + Math.min(cards, 4)).map((hz, i) => ({ wave: "triangle", hz, at: i * 60, ms: 700, gain: 0.1 }) as const);
