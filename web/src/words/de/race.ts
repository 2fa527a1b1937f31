import type { race as same } from "../en/race.ts";

export const race: typeof same = {
  finish: "Wer wie schnell war",
  ms: (time) => `${time} ms`,
  after: (time) => `+${time} ms`,
  doubt: (time) => `±${time}`,
  said: {
    first: (name, time) => `${name} ${time} Millisekunden`,
    after: (name, time) => `${name} ${time} später`,
    heat: "das ist gleich schnell",
    unsure: "zu nah, um sicher zu sein",
  },
  soon: "Pfoten bereit: Gleich geht es weiter …",
  late: (time, name) => `Du: ${time} ms nach ${name}.`,
  lateBy: (name) => `Zu spät: ${name} war schneller.`,
  tooLate: "Zu spät!",
  early: "Zu früh! Deine Pfote ruht kurz.",
  slow: "Deine Leitung ist recht lang. Das Haus gleicht das aus, aber näher am WLAN wird es noch fairer.",

  why: "Wer war zuerst da?",
  rows: {
    elapsed: "Vom Zeigen bis die Pfote gehört war",
    trip: "Der Weg hin und zurück",
    comp: "Abgezogen für Weg und Bild",
    handicap: "Vorsprung",
    score: "Das zählt",
    doubt: "So genau ist es",
  },
  bot: "Ein Bot sitzt im Haus: Er hat keinen Weg.",
  how: (heat) =>
    `Das Haus misst, wie lange es vom Zeigen dauert, bis es jede Pfote hört. Was der Weg durchs Netz gebraucht hat, zieht es wieder ab, aber nie mehr, als es selbst nachmessen kann. Wer höchstens ${heat} ms hinter der schnellsten Pfote liegt, ist genauso schnell; das Los bringt sie in eine Reihe.`,
  docs: "Ausführlich: docs/fair-slap.md",
  marks: {
    "no-claim": { you: "Dein Gerät sagt nicht, wann es das Bild gezeigt hat. Darum wird nur der Weg abgezogen, den das Haus gemessen hat.", they: (names) => `${names}: Das Gerät sagt nicht, wann es das Bild gezeigt hat. Darum wird nur der Weg abgezogen, den das Haus gemessen hat.` },
    cut: { you: "Dein Gerät meldet mehr Verzögerung, als sich mit so einer Leitung erklären lässt. Mehr wird nicht abgezogen.", they: (names) => `${names}: Das Gerät meldet mehr Verzögerung, als sich mit so einer Leitung erklären lässt. Mehr wird nicht abgezogen.` },
    implausible: { you: "So schnell ist niemand. Deine Zeit wurde auf das angehoben, was eine Pfote schafft.", they: (names) => `${names}: So schnell ist niemand. Die Zeit wurde auf das angehoben, was eine Pfote schafft.` },
    "slower-than-possible": { you: "Dein Gerät meldet weniger Verzögerung, als allein der Weg braucht. Das schadet nur dir selbst.", they: (names) => `${names}: Das Gerät meldet weniger Verzögerung, als allein der Weg braucht. Das schadet sonst niemandem.` },
    unbound: { you: "Wie lang dein Weg ist, kann nur dein Gerät selbst sagen. Darum werden höchstens 120 ms abgezogen.", they: (names) => `${names}: Wie lang der Weg ist, kann nur das Gerät selbst sagen. Darum werden höchstens 120 ms abgezogen.` },
  },

  terms: {
    name: "Wer zuerst da war",
    friends: "Freunde unter sich: Auch lange und wacklige Leitungen werden ausgeglichen.",
    ranked: "Streng: Ausgeglichen wird nur, was sicher gemessen ist. Am besten mit Kabel oder gutem WLAN.",
    machines: "Für Programme: Pfoten dürfen beliebig schnell sein.",
  },
  headStart: "Vorsprung",
  headStarts: (time) => (time ? `Jede Zeit zählt ${time} ms weniger.` : "Kein Vorsprung."),
  ahead: (time) => `+${time} ms Vorsprung`,
  proposal: (name, time, paws) => `Vorschlag: ${name} ${time} ms, aus ${paws} ${paws === 1 ? "Pfote" : "Pfoten"}.`,
  take: "Übernehmen",
  trust: {
    unbound: { tag: "Weg nicht nachmessbar", say: "Freunde unter sich: Wie lang der Weg ist, kann nur das Gerät selbst sagen." },
    "no-claim": { tag: "ohne Zeitstempel", say: "Das Haus geht nicht nach dem, was dieses Gerät sagt, nur nach dem Weg, den es selbst gemessen hat." },
    watch: { tag: "wird beobachtet", say: "Diese Pfoten sind schneller oder gleichmäßiger als die meisten. Das ändert nichts; alle dürfen es wissen." },
  },
};
