/**
 * Was it dealt fairly? What this device kept before play is held against what the house shows after the end.
 * The sums are in `deal.js`; what they promise and what not is told in `docs/deal.md`.
 */
import * as deal from "../deal.js";
import type { Deal } from "../made/messages.ts";
import { api } from "./api.ts";
import { memory } from "./prefs.svelte.ts";

export type { Bundle, Check, Receipt } from "../deal.js";

export interface Proof {
  /** "alone": true to itself, but nothing was kept here against which to hold it. */
  verdict: "ok" | "false" | "alone" | "unknown";
  checks: deal.Check[];
  receipts: deal.Receipt[];
  bundle: deal.Bundle | null;
  words: string; // four, to be read to each other
}

const place = (table: string) => `receipt.${table}`;

/** The receipts of this device, one for each seat that took part from here. */
export function kept(table: string): deal.Receipt[] {
  return JSON.parse(memory.get(place(table)) ?? "[]") as deal.Receipt[];
}

/** All hashes and seeds lie on the table and no card does: the moment for the receipt. The transcript is our own sum, not what we are told. */
export function keep(now: Deal, seat: number, seed: string) {
  const before = kept(now.table);
  if (before.some((each) => each.seat === seat && each.attempt === now.attempt)) return; // the first one counts
  const hashes = new Map(now.commits);
  const entries = now.seeds.map(([other, theirs]): [number, Uint8Array, Uint8Array] => [other, deal.unhex(hashes.get(other)!), deal.unhex(theirs)]);
  const transcript = deal.transcript(now.table, now.epoch, now.attempt, now.rules, deal.unhex(now.deck), deal.unhex(now.server), entries);
  const receipt: deal.Receipt = {
    format: deal.RECEIPT,
    table: now.table,
    seat,
    attempt: now.attempt,
    server: now.server,
    commits: now.commits,
    seed,
    transcript: deal.hex(transcript),
  };
  memory.set(place(now.table), JSON.stringify([...before, receipt]));
}

/** Fetch what the house shows, and do the sums. */
export async function prove(table: string): Promise<Proof> {
  const bundle = await api.replay(table).catch(() => null);
  const receipts = kept(table);
  if (!bundle) return { verdict: "unknown", checks: [], receipts, bundle, words: "" };
  const reports = receipts.length ? receipts.map((receipt) => deal.verifyDeal(bundle, receipt)) : [deal.verifyDeal(bundle)];
  const worst = reports.find((each) => each.verdict === "false") ?? reports.find((each) => each.verdict !== "ok") ?? reports[0]!;
  const verdict = worst.verdict === "false" ? "false" : worst.verdict !== "ok" ? "unknown" : receipts.length ? "ok" : "alone";
  return { verdict, checks: worst.checks, receipts, bundle, words: fingerprint(receipts[0]?.transcript ?? bundle.deal.transcript) };
}

const fingerprint = (transcript: string) => (/^[0-9a-f]{64}$/.test(transcript) ? deal.fingerprint(deal.unhex(transcript)) : "");
