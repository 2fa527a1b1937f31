/** Sounds are synthesised: no files, nothing to load. They start after the first gesture, as browsers demand. */
import { prefs } from "./prefs.svelte.ts";

/** One voice of a cue. `noise` is a puff through a filter at `hz`; else a wave that glides from `hz` to `to`. */
export interface Voice {
  wave: OscillatorType | "noise";
  hz: number;
  to?: number;
  at?: number; // ms
  ms: number;
  gain?: number;
}
export type Cue = readonly Voice[];

let context: AudioContext | undefined;

export function unlock() {
  if (!prefs.sound) return;
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume();
}

export function play(cue: Cue) {
  if (!prefs.sound || context?.state !== "running") return;
  for (const voice of cue) sing(context, voice);
}

function sing(into: AudioContext, { wave, hz, to = hz, at = 0, ms, gain = 0.2 }: Voice) {
  const start = into.currentTime + at / 1000;
  const end = start + ms / 1000;
  const loud = new GainNode(into, { gain: 0 });
  loud.gain.setValueAtTime(gain, start);
  loud.gain.exponentialRampToValueAtTime(0.0001, end);
  loud.connect(into.destination);
  if (wave === "noise") {
    const buffer = into.createBuffer(1, Math.ceil((into.sampleRate * ms) / 1000), into.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    const source = new AudioBufferSourceNode(into, { buffer });
    source.connect(new BiquadFilterNode(into, { type: "bandpass", frequency: hz, Q: 0.8 })).connect(loud);
    source.start(start);
  } else {
    const source = new OscillatorNode(into, { type: wave, frequency: hz });
    source.frequency.setValueAtTime(hz, start);
    source.frequency.exponentialRampToValueAtTime(to, end);
    source.connect(loud);
    source.start(start);
    source.stop(end);
  }
}

/** Those every table has. A game's own are in its folder. */
export const cues = {
  tick: [{ wave: "noise", hz: 3200, ms: 30, gain: 0.12 }],
  lay: [{ wave: "noise", hz: 1400, ms: 70, gain: 0.3 }],
  turn: [{ wave: "noise", hz: 2200, ms: 90, gain: 0.25 }],
  knock: [{ wave: "triangle", hz: 190, to: 120, ms: 90, gain: 0.35 }],
  bump: [{ wave: "sine", hz: 110, to: 60, ms: 140, gain: 0.4 }],
  drum: Array.from({ length: 8 }, (_, i) => ({ wave: "noise", hz: 260, at: i * 85, ms: 80, gain: 0.1 + i * 0.02 }) as const),
  gain: [
    { wave: "triangle", hz: 523, ms: 140 },
    { wave: "triangle", hz: 659, at: 120, ms: 260 },
  ],
  loss: [
    { wave: "triangle", hz: 392, ms: 140 },
    { wave: "triangle", hz: 311, at: 120, ms: 280 },
  ],
  yours: [
    { wave: "sine", hz: 880, ms: 120, gain: 0.12 },
    { wave: "sine", hz: 1175, at: 100, ms: 180, gain: 0.12 },
  ],
  end: [523, 659, 784, 1047].map((hz, i) => ({ wave: "triangle", hz, at: i * 130, ms: 380 }) as const),
} satisfies Record<string, Cue>;
