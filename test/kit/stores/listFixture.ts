import { expect } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ListBounds, ListLifetimes, NewList } from "../../../src/jobs/stored.ts";
import type { JobChunk } from "../../../src/metering/jobChunk.ts";
import { outcomes, reserve, type StoreFixture, settle } from "./fixture.ts";

export const DAY_MS = 86_400_000;
export const LEASE_MS = 15_000;
/** The fixture's free tier. */
export const FREE_TIER = "small";
export const BOUNDS: ListBounds = {
  maxOpen: 3,
  maxStored: 4,
  maxCancelled: 2,
  maxNumbers: { [FREE_TIER]: 20 },
  maxNumbersOfOthers: 50,
  maxNumbersOfAll: 1_000_000,
  maxNumbersOfFree: 1_000_000,
  freeTiers: [FREE_TIER],
};
export const TERMS: ListLifetimes = {
  resultsMs: 7 * DAY_MS,
  openMs: 35 * DAY_MS,
  freeOpenMs: 3 * DAY_MS,
  freeTiers: [FREE_TIER],
};

export interface Owner {
  readonly accountId: string;
  readonly keyId: string;
}

let count = 0;

/** An owner with an unlimited account, or with another tier. */
export async function newOwner(fixture: StoreFixture, store: StateStore, tier = "endless"): Promise<Owner> {
  const { accountId, keyIds } = await fixture.addAccount(store, tier);
  return { accountId, keyId: keyIds[0] ?? "" };
}

export function newList(owner: Owner, sent: number, more: Partial<NewList> = {}): NewList {
  return { ...owner, id: `job_${++count}`, kind: "lookup", sent, duplicates: 0, estimated: sent, ...more };
}

/** A list that has begun; its numbers are in blocks of ten. */
export async function begun(
  { jobs }: Pick<StateStore, "jobs">,
  owner: Owner,
  sent: number,
  more: Partial<NewList> = {},
): Promise<{ readonly id: string; readonly numbers: readonly string[] }> {
  const list = newList(owner, sent, more);
  expect(await jobs.addList(list, BOUNDS)).toBe("added");
  const numbers = Array.from({ length: sent }, (_, index) => `number "${index}" é🗝`);
  const blocks = Array.from({ length: Math.ceil(sent / 10) }, (_, at) =>
    numbers.slice(at * 10, at * 10 + 10),
  );
  await jobs.addNumbers(list.id, owner.accountId, 0, blocks);
  expect(await jobs.beginList(list.id)).toMatchObject({ id: list.id, status: "queued" });
  return { id: list.id, numbers };
}

/** A worker's results for a list. */
export function chunk(jobId: string, step: number, claim: number, more: Partial<JobChunk> = {}): JobChunk {
  return {
    jobId,
    step,
    claim,
    block: 0,
    taken: 10,
    found: 10,
    failed: 0,
    lines: '{"number":"é"}\n'.repeat(10),
    jsonlBytes: 160,
    csvBytes: 20,
    mark: "1 1",
    leaseMs: LEASE_MS,
    ...more,
  };
}

/** Charges a chunk, as a worker does. @returns the outcome */
export async function charged(
  { metering }: Pick<StateStore, "metering">,
  { keyId }: Owner,
  part: JobChunk,
): Promise<string | undefined> {
  const id = `${part.jobId} ${part.step} ${part.claim}`;
  await metering.apply([reserve(keyId, id, part.found)]);
  const [outcome] = await outcomes(metering.apply([{ ...settle(keyId, id, part.found), chunk: part }]));
  return outcome;
}

/** Ends and deletes the lists of a test, so that the next one's workers find none. */
export async function sweepAll(fixture: StoreFixture, { jobs }: Pick<StateStore, "jobs">): Promise<void> {
  for (const ms of [TERMS.openMs, TERMS.resultsMs]) {
    fixture.nowMs += ms;
    while (await jobs.sweepLists(TERMS));
  }
}
