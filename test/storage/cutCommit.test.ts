/** A connection cut around a commit: nothing is charged twice, and nothing is delivered free of charge. */

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type DatabaseProxy, type Fate, type Message, startDatabaseProxy } from "../kit/databaseProxy.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const server = await sharedPostgres();

let proxy: DatabaseProxy;
let store: StateStore;
let direct: StateStore;
let fixture: StoreFixture;
beforeAll(async () => {
  const url = await server.database("cut");
  proxy = await startDatabaseProxy(server.port);
  direct = await openPostgresState({ url, tiers: TIERS });
  store = await openPostgresState({ url: proxy.through(url), tiers: TIERS });
  fixture = new StoreFixture(async () => direct, "2026-05-05T12:00:00.000Z");
  afterFile(async () => {
    await store.close();
    await direct.close();
  });
});
beforeEach(() => proxy.open());

/** Applies a fate to the first matching message; all others pass. @returns whether it occurred */
function once(is: (message: Message) => boolean, fate: Fate): () => boolean {
  let isDone = false;
  proxy.decide((message) => {
    if (isDone || !is(message)) return "pass";
    isDone = true;
    return fate;
  });
  return () => isDone;
}

const UNKNOWN = /^the state store is unavailable: the outcome of a commit is unknown: /;

const isCommit = ({ text }: Message) => text === "commit";

const isBegin = ({ text }: Message) => text.startsWith("begin");

/** The first statement that a batch writes: its id. */
const isFirstWrite = ({ text }: Message) => text === "opzoek_note_batch";

async function newAccount() {
  const { accountId, keyIds } = await fixture.addAccount(direct, "wide");
  const [key = ""] = keyIds;
  // Opens the connection and prepares its statements.
  await store.metering.apply([call(key, 0)]);
  return { accountId, key };
}

const spentOf = async (accountId: string) => (await direct.ledger.spent(accountId))?.used ?? 0;

async function ledgerOf(accountId: string): Promise<number> {
  const lines = await direct.ledger.lines(accountId, "2000-01-01", "2999-12-31");
  return lines.reduce((sum, { tokens }) => sum + tokens, 0);
}

describe("a connection cut", () => {
  it.each<[string, Fate, () => (message: Message) => boolean]>([
    ["before the batch begins", "cut", () => isBegin],
    ["before anything is written", "cut", () => isFirstWrite],
    ["before the server gets the commit", "cut", () => isCommit],
    ["after the server has committed", "lose-answer", () => isCommit],
    ["after the server has committed, with an error from a pooler", "crash", () => isCommit],
  ])("%s: the call succeeds and is charged once", async (_when, fate, matches) => {
    const { accountId, key } = await newAccount();
    const hasHappened = once(matches(), fate);
    expect(await outcomes(store.metering.apply([call(key, 5), call(key, 2)]))).toEqual([
      "granted 5",
      "granted 2",
    ]);
    expect(hasHappened()).toBe(true);
    expect([await spentOf(accountId), await ledgerOf(accountId)]).toEqual([7, 7]);
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
  });

  it("after the commit, without a way to learn the outcome: unavailable, and charged at most once", async () => {
    const { accountId, key } = await newAccount();
    let isCut = false;
    proxy.decide((message) => {
      if (isCut) return "cut";
      isCut = isCommit(message);
      return isCut ? "lose-answer" : "pass";
    });
    await expect(outcomes(store.metering.apply([call(key, 5)]))).rejects.toThrow(UNKNOWN);
    await until("the commit is done", async () => (await spentOf(accountId)) === 5);
    expect(await ledgerOf(accountId)).toBe(5);
    proxy.open();
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
    expect(await spentOf(accountId)).toBe(6);
  });
});

describe("a commit that arrives after its caller got an error", () => {
  it("finds its batch void if nothing of it was stored before, and charges nothing", async () => {
    const { accountId, key } = await newAccount();
    const hasHappened = once(isFirstWrite, "hold");
    // The held transaction locks the account, so the batch cannot be retried meanwhile.
    await expect(outcomes(store.metering.apply([call(key, 5)]))).rejects.toBeInstanceOf(StoreUnavailable);
    expect(hasHappened()).toBe(true);
    await proxy.release();
    expect([await spentOf(accountId), await ledgerOf(accountId)]).toEqual([0, 0]);
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
  });

  it("charges at most once for a call reported as unavailable", async () => {
    const { accountId, key } = await newAccount();
    once(isCommit, "hold");
    await expect(outcomes(store.metering.apply([call(key, 5)]))).rejects.toThrow(
      /the outcome of a commit is unknown/,
    );
    await proxy.release();
    expect(await spentOf(accountId)).toBe(await ledgerOf(accountId));
    expect([0, 5]).toContain(await spentOf(accountId));
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
  });
});
