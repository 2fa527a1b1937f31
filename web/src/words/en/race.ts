/** Who was first in a race, by how much, how sure that is, and why. */
export const race = {
  finish: "Who was how quick",
  ms: (time: string) => `${time} ms`,
  after: (time: string) => `+${time} ms`,
  doubt: (time: string) => `±${time}`,
  said: {
    first: (name: string, time: string) => `${name} ${time} milliseconds`,
    after: (name: string, time: string) => `${name} ${time} later`,
    heat: "that is equally quick",
    unsure: "too close to be sure",
  },
  soon: "Paws ready: the next one is about to come …",
  late: (time: string, name: string) => `You: ${time} ms after ${name}.`,
  lateBy: (name: string) => `Too late: ${name} was quicker.`,
  tooLate: "Too late!",
  early: "Too early! Your paw rests for a moment.",
  slow: "Your line is quite long. The house makes up for it, but close to the Wi-Fi it is fairer still.",

  why: "Who was first?",
  rows: {
    elapsed: "From showing it to hearing the paw",
    trip: "The way there and back",
    comp: "Taken off for way and picture",
    handicap: "Head start",
    score: "This counts",
    doubt: "How sure that is",
  },
  bot: "A bot sits in the house: it has no way to go.",
  how: (heat: string) =>
    `The house measures how long it takes from showing it until it hears each paw. What the way through the network took is taken off again, but never more than the house can check itself. Whoever is at most ${heat} ms behind the quickest is just as quick; the lot orders them.`,
  docs: "All of it: docs/fair-slap.md",
  marks: {
    "no-claim": { you: "Your device does not say when it showed it. So only the way that the house has measured is taken off.", they: (names: string) => `${names}: this device does not say when it showed it. So only the way that the house has measured is taken off.` },
    cut: { you: "Your device tells of a longer delay than such a line explains. No more than that is taken off.", they: (names: string) => `${names}: the device tells of a longer delay than such a line explains. No more than that is taken off.` },
    implausible: { you: "Nobody is as quick as that. Your time was raised to what a paw can do.", they: (names: string) => `${names}: nobody is as quick as that. The time was raised to what a paw can do.` },
    "slower-than-possible": { you: "Your device tells of less delay than the bare way takes. That harms nobody but you.", they: (names: string) => `${names}: the device tells of less delay than the bare way takes. That harms nobody else.` },
    unbound: { you: "How long your way is, only your own device can say. So not more than 120 ms are taken off.", they: (names: string) => `${names}: how long the way is, only the device itself can say. So not more than 120 ms are taken off.` },
  } as Record<string, { you: string; they: (names: string) => string }>,

  terms: {
    name: "Who was first",
    friends: "Among friends: long and shaky lines are made up for, too.",
    ranked: "Strict: only what is measured beyond doubt is made up for. Best by cable or good Wi-Fi.",
    machines: "For programs: paws may be as quick as they like.",
  },
  headStart: "Head start",
  headStarts: (time: number) => (time ? `Every time counts ${time} ms less.` : "No head start."),
  ahead: (time: number) => `+${time} ms head start`,
  proposal: (name: string, time: number, paws: number) => `Proposal: ${name} ${time} ms, from ${paws} ${paws === 1 ? "paw" : "paws"}.`,
  take: "Take it",
  trust: {
    unbound: { tag: "way not checked", say: "Among friends: how long the way is, only the device itself can say." },
    "no-claim": { tag: "without time stamp", say: "The house does not go by what this device says, only by the way it has measured itself." },
    watch: { tag: "is being watched", say: "These paws are quicker or more even than most. It changes nothing; all may know it." },
  } as Record<string, { tag: string; say: string }>,
};
