/** What the drawing says besides the game's own sentences: names of things, for those who hear the screen. */
const cards = { de: (count: number) => (count === 1 ? "1 Karte" : `${count} Karten`), en: (count: number) => (count === 1 ? "1 card" : `${count} cards`) };
const chips = { de: (count: number) => (count === 1 ? "1 Chip" : `${count} Chips`), en: (count: number) => (count === 1 ? "1 chip" : `${count} chips`) };

export const words = {
  de: {
    cards: cards.de,
    chips: chips.de,
    left: (count: number) => `Noch ${chips.de(count)}`,
    supply: (left: number, all: number) => `Noch ${left} von ${chips.de(all)}`,
    stack: (count: number) => `Verdeckter Stapel: ${cards.de(count)}`,
    own: (count: number) => `Dein verdeckter Stapel: ${cards.de(count)}`,
    pile: (count: number, top: string) => `In der Mitte: ${cards.de(count)}, oben ${top}`,
    empty: "Die Mitte ist leer.",
    tries: (left: number) => (left === 1 ? "Noch ein Versuch" : `Noch ${left} Versuche`),
    owner: "hat die Maus gelegt",
    hunts: "ist dran",
    last: "Letzte Karte!",
    count: "Karten zählen",
    aloud: "Vorlesen",
    caught: "Erwischt!",
    escaped: "Entwischt!",
  },
  en: {
    cards: cards.en,
    chips: chips.en,
    left: (count: number) => `${chips.en(count)} left`,
    supply: (left: number, all: number) => `${left} of ${chips.en(all)} left`,
    stack: (count: number) => `Face-down stack: ${cards.en(count)}`,
    own: (count: number) => `Your face-down stack: ${cards.en(count)}`,
    pile: (count: number, top: string) => `In the middle: ${cards.en(count)}, on top ${top}`,
    empty: "The middle is empty.",
    tries: (left: number) => (left === 1 ? "One try left" : `${left} tries left`),
    owner: "has laid the mouse",
    hunts: "is on turn",
    last: "Last card!",
    count: "Count cards",
    aloud: "Read aloud",
    caught: "Got it!",
    escaped: "Got away!",
  },
};
