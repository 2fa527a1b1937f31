/** What this table sounds like. Every sound has a picture that says the same. */
import { cues, play, type Cue, type Voice } from "../../lib/sound.ts";

const row = (count: number, apart: number, voice: (i: number) => Omit<Voice, "at">): Cue =>
  Array.from({ length: count }, (_, i) => ({ ...voice(i), at: i * apart }));

export const sounds = {
  flap: cues.turn,
  mew: [...cues.turn, { wave: "triangle", hz: 620, to: 480, at: 120, ms: 160, gain: 0.08 }],
  plop: [{ wave: "sine", hz: 420, to: 130, ms: 150, gain: 0.35 }],
  meow: [
    { wave: "triangle", hz: 430, to: 820, at: 120, ms: 220, gain: 0.3 },
    { wave: "triangle", hz: 820, to: 390, at: 300, ms: 520, gain: 0.26 },
  ],
  riffle: row(8, 55, (i) => ({ wave: "noise", hz: 1500 + i * 140, ms: 60, gain: 0.2 })),
  clink: [0, 190, 330].flatMap((at, i) => [
    { wave: "sine", hz: 2350, at, ms: 260, gain: 0.16 / (i + 1) },
    { wave: "sine", hz: 3520, at, ms: 180, gain: 0.1 / (i + 1) },
  ]),
  flute: [784, 988, 1175].flatMap((hz, i) => [
    { wave: "sine", hz, at: 80 + i * 420, ms: 360, gain: 0.22 },
    { wave: "noise", hz: hz * 2, at: 80 + i * 420, ms: 90, gain: 0.05 },
  ]),
  up: [{ wave: "sine", hz: 900, to: 2100, ms: 180, gain: 0.16 }],
  breath: [
    { wave: "noise", hz: 700, ms: 380, gain: 0.12 },
    { wave: "noise", hz: 1600, at: 140, ms: 320, gain: 0.16 },
  ],
  heart: [
    { wave: "sine", hz: 62, to: 44, ms: 150, gain: 0.5 },
    { wave: "sine", hz: 55, to: 40, at: 230, ms: 170, gain: 0.34 },
  ],
  end: cues.end,
} satisfies Record<string, Cue>;

/** As many squeaks as the mouse has paws. */
export const squeaks = (paws: number): Cue => row(paws, 140, (i) => ({ wave: "sine", hz: 1500 + i * 220, to: 2300 + i * 220, ms: 110, gain: 0.15 }));

/** The card bends: the further, the higher. */
export const creak = (bent: number) => play([{ wave: "noise", hz: 500 + bent * 1500, ms: 60, gain: 0.06 + bent * 0.08 }]);
