import { after } from "./after.ts";
import { common } from "./common.ts";
import { learn } from "./learn.ts";
import { lobby } from "./lobby.ts";
import { table } from "./table.ts";

export const en = { after, common, learn, lobby, table };
export type Words = typeof en;
