import type { Maus } from "../../made/records.ts";

/** The mouse that is hunted. The record does not keep what lies below the top card; who saw the mouse still knows it. */
export interface Hunt {
  id: number; // of the mouse's card: as many had been turned; -1 for one that we have not seen
  owner: number;
  paws: number;
}

export const isMouse = (card: number | undefined) => card !== undefined && card >= 1 && card <= 3;
export const top = (view: Maus) => view.pile[view.height - 1];

/** The hunt as it is now, from what we knew of it before. */
export function follow(known: Hunt | null, view: Maus): Hunt | null {
  if (!view.tries) return null;
  if (known && known.owner === view.owner && known.paws >= view.tries && known.id <= view.turned) return known;
  const seen = isMouse(top(view));
  return { id: seen ? view.turned : -1, owner: view.owner, paws: seen ? top(view)! : view.tries };
}
