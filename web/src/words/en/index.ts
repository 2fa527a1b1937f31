import { after } from "./after.ts";
import { common } from "./common.ts";
import { learn } from "./learn.ts";
import { lobby } from "./lobby.ts";
import { race } from "./race.ts";
import { table } from "./table.ts";

export const en = { after, common, learn, lobby, race, table };
export type Words = typeof en;
