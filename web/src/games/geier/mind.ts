/** The words of the picture of thoughts. */
export const words = {
  de: {
    title: "Dein Gedankenbild",
    about: "Was du für welche Karte geboten hast",
    each: (prize: string, card: number) => `für ${prize} die ${card}`,
    you: "du",
    others: "die anderen im Schnitt",
  },
  en: {
    title: "Your mind map",
    about: "What you bid for which card",
    each: (prize: string, card: number) => `${card} for ${prize}`,
    you: "you",
    others: "the others on average",
  },
};
