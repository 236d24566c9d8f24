/**
 * The work that asks KVK about monitored companies, over a simulated KVK and a real state, in steps that tests make.
 */
import { onTestFinished } from "vitest";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import type { KvkSimulator } from "../../src/demo/kvk/server.ts";
import { KvkApi } from "../../src/kvk/api/kvkApi.ts";
import { kvkOverHttp } from "../../src/kvk/api/upstream.ts";
import { DailyCallBudget } from "../../src/kvk/budget/callBudget.ts";
import { LiveCompanies } from "../../src/kvk/cache/liveCompanies.ts";
import { OpenDataClient, openDataOverHttp } from "../../src/kvk/openData/client.ts";
import type { TurnWork } from "../../src/lib/turns.ts";
import { StoreFixture } from "./stores/fixture.ts";
import { monitor, newOwner } from "./stores/monitorFixture.ts";

export const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A state with the clock of the test, which begins now. */
export function stateForSources(): StoreFixture {
  const fixture = new StoreFixture(({ folder, tiers, clock }) => {
    const cell = new Float64Array(clock);
    return openSqliteState({ path: statePath(folder), tiers, now: () => cell[0] ?? 0 });
  }, new Date().toISOString());
  onTestFinished(() => fixture.close());
  return fixture;
}

/** One process of a service. */
export interface Node {
  readonly store: StateStore;
  readonly companies: LiveCompanies;
  readonly openData: OpenDataClient;
  readonly api: KvkApi;
}

interface NodeOptions {
  readonly dailyCalls?: number;
  readonly monitorCalls?: number;
  readonly callWithinMs?: number;
}

export async function nodeOf(
  fixture: StoreFixture,
  { url, apiKey, openDataUrl }: KvkSimulator,
  { dailyCalls = 1_000, monitorCalls = 1_000, callWithinMs = 120_000 }: NodeOptions = {},
): Promise<Node> {
  const store = await fixture.connect();
  const now = () => fixture.nowMs;
  const budget = new DailyCallBudget({
    store: store.live,
    maxADay: dailyCalls,
    monitors: { store: store.monitorSources, calls: monitorCalls },
    now,
  });
  const upstream = kvkOverHttp({ baseUrl: url, apiKey });
  const api = new KvkApi({ upstream, budget, callWithinMs, firstRetryAfterMs: 1, perSecond: 1_000_000 });
  const openData = new OpenDataClient({
    upstream: openDataOverHttp(openDataUrl),
    callWithinMs,
    now,
    elapsed: now,
  });
  onTestFinished(async () => {
    await Promise.all([api.close(), openData.close()]);
  });
  const companies = new LiveCompanies({
    source: api,
    store: store.live,
    budget,
    payerOf: async (accountId) => ({ subject: accountId, payer: "other" }),
    lifetimes: { freshForMs: DAY_MS, notFoundFreshForMs: DAY_MS, keepForMs: 365 * DAY_MS },
    notFoundADay: 1_000,
    now,
  });
  return { store, companies, openData, api };
}

/** Adds an account with monitors of these companies. @returns its id */
export async function monitoring(
  fixture: StoreFixture,
  { store }: Node,
  kvkNumbers: readonly KvkNumber[],
): Promise<string> {
  const owner = await newOwner(fixture, store);
  await monitor(store, owner, kvkNumbers);
  return owner.accountId;
}

/** Takes a turn if there is one and does its work. @returns the wait after it; undefined if there was no turn */
export async function step(
  { store }: Node,
  name: string,
  work: TurnWork,
  everyMs = 0,
): Promise<number | undefined> {
  const { turns } = store;
  const turn = await turns.takeTurn(name, LEASE_MS, everyMs);
  if (typeof turn === "number") return undefined;
  const { cursor = turn.cursor, waitMs } = await work.run(turn, new AbortController().signal);
  await turns.endTurn({ ...turn, cursor }, waitMs);
  return waitMs;
}
