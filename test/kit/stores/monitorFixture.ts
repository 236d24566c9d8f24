import { randomBytes } from "node:crypto";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ChangeType } from "../../../src/contract/eventTypes.ts";
import { base62 } from "../../../src/contract/keyForm.ts";
import { type KvkNumber, kvkNumberOf } from "../../../src/contract/numbers.ts";
import type { Decision } from "../../../src/metering/store.ts";
import { type MonitorProgress, progressIn } from "../../../src/monitors/scans.ts";
import type {
  MonitorFields,
  MonitorOwner,
  StoredEvent,
  StoredMonitor,
} from "../../../src/monitors/stored.ts";
import type { Baseline, Observation, Recency, WatchedFields } from "../../../src/monitors/types.ts";
import { decisions, type StoreFixture } from "./fixture.ts";

export const ORIGIN = "import:fabel";
export const FORMAT = 1;

let count = 0;

export const newMonitorId = () => `mon_${base62(22, randomBytes)}`;

/** Companies that no other test uses. */
export function newCompanies(number: number): readonly KvkNumber[] {
  return Array.from({ length: number }, () => kvkNumberOf(80_000_000 + ++count));
}

export async function newOwner(
  fixture: StoreFixture,
  store: StateStore,
  tierName = "endless",
): Promise<MonitorOwner> {
  const { accountId, keyIds } = await fixture.addAccount(store, tierName);
  return { accountId, keyId: keyIds[0] ?? "" };
}

export function baseline(
  kvkNumber: KvkNumber,
  { asOfMs, serialMs }: Recency,
  fields: WatchedFields = { name: "Fabel B.V." },
  origin = ORIGIN,
): Baseline {
  return { kvkNumber, origin, asOfMs, serialMs, format: FORMAT, fields };
}

/** Adds monitors of companies, each with a first baseline of recency 1, 1. */
export async function monitor(
  { monitors }: StateStore,
  owner: MonitorOwner,
  numbers: readonly KvkNumber[],
  fields: MonitorFields = {},
): Promise<readonly StoredMonitor[]> {
  const first = numbers.map((kvkNumber) => baseline(kvkNumber, { asOfMs: 1, serialMs: 1 }));
  const added = await monitors.addMonitors(
    owner,
    numbers,
    numbers.map(newMonitorId),
    fields,
    first,
    1_000_000_000,
  );
  if (typeof added === "string") throw new Error(`the store says ${added}`);
  return added.map((one) => {
    if (typeof one === "string") throw new Error(`the store says ${one}`);
    return one;
  });
}

/** An observation of a company that replaces the baseline of this recency with the next one. */
export function observed(
  kvkNumber: KvkNumber,
  recency: number,
  types: readonly ChangeType[] = ["company.renamed"],
): Observation {
  const change = { name: { previous: `${recency}`, current: `${recency + 1}` } };
  return {
    replaces: { asOfMs: recency, serialMs: recency },
    baseline: baseline(kvkNumber, { asOfMs: recency + 1, serialMs: recency + 1 }, { name: `${recency + 1}` }),
    changes: types.map((type) => ({ type, changes: change })),
  };
}

/** Delivers what an account is due, as the worker does. @returns the decision; undefined if nothing is due */
export async function deliver(
  { monitors, metering }: StateStore,
  { accountId }: Pick<MonitorOwner, "accountId">,
  perAccount = 100,
): Promise<Decision | undefined> {
  const due = (await monitors.dueAccounts(1_000, perAccount)).find((one) => one.accountId === accountId);
  if (due === undefined) return undefined;
  const { keyId, isTest, pendingIds } = due;
  const request = { kind: "events", keyId, isTest, operation: "monitors.change", pendingIds } as const;
  const [decision] = await decisions(metering.apply([request]));
  return decision;
}

/** A new account with monitors of new companies, and a secret for webhooks. */
export async function watching(
  fixture: StoreFixture,
  store: StateStore,
  tierName: string,
  companies: number,
  fields: MonitorFields = {},
): Promise<Watching> {
  const owner = await newOwner(fixture, store, tierName);
  await store.webhooks.rollWebhookSecret(owner.accountId, "seed", 0);
  const numbers = newCompanies(companies);
  return { owner, numbers, monitors: await monitor(store, owner, numbers, fields) };
}

interface Watching {
  readonly owner: MonitorOwner;
  readonly numbers: readonly KvkNumber[];
  readonly monitors: readonly StoredMonitor[];
}

/** Observes the next change of each company, after the baseline of this recency. */
export async function changesOf(
  store: StateStore,
  numbers: readonly KvkNumber[],
  recency = 1,
): Promise<void> {
  await store.monitors.recordObservations(numbers.map((kvkNumber) => observed(kvkNumber, recency)));
}

/** The events of an account after a place. */
export async function eventsOf(
  store: StateStore,
  owner: MonitorOwner,
  after = 0,
): Promise<readonly StoredEvent[]> {
  const page = await store.monitors.events(owner, after, 2_000, {});
  if ("expired" in page) throw new Error("the place has expired");
  return page.events;
}

/** Notes that all monitored companies were compared with a snapshot. */
export async function noteComparison(
  { turns }: StateStore,
  progress: Partial<MonitorProgress>,
): Promise<void> {
  const turn = await turns.takeTurn("monitors", 1_000, 0);
  if (typeof turn === "number") throw new Error("another process has the turn");
  await turns.endTurn({ ...turn, cursor: JSON.stringify({ ...progressIn(turn.cursor), ...progress }) }, 0);
}
