import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ChargeRequest } from "../../../src/metering/store.ts";
import { call, decisions, type OpenStore, outcomes, reserve, StoreFixture, settle } from "./fixture.ts";

const asTest = <Request extends ChargeRequest>(request: Request): Request => ({ ...request, isTest: true });

/** The usage of test keys is counted exactly, durably and separately. */
export function testKeys(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;

  beforeAll(async () => {
    fixture = new StoreFixture(open, "2026-05-10T12:00:00.000Z");
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  /** An account with live keys and test keys. */
  async function addAccount(tierName: string, keysOfEach = 1) {
    const { accountId, keyIds: live } = await fixture.addAccount(store, tierName, keysOfEach);
    const test: string[] = [];
    for (const _ of live) test.push(await fixture.addKey(store, accountId, 20, "test"));
    return { accountId, live, test };
  }

  it("counts calls of a test key against a separate allowance, as large as the tier's", async () => {
    const {
      accountId,
      live: [live = ""],
      test: [test = ""],
    } = await addAccount("small");
    expect(
      await outcomes(store.metering.apply([asTest(call(test, 18)), call(live, 19), asTest(call(test, 3))])),
    ).toEqual(["granted 18", "granted 19", "quota"]);
    expect(
      await outcomes(store.metering.apply([call(live, 1), asTest(call(test, 2)), call(live, 1)])),
    ).toEqual(["granted 1", "granted 2", "quota"]);
    expect(await store.ledger.spent(accountId)).toMatchObject({ used: 20 });
    expect(await store.testLedger.spent(accountId)).toMatchObject({ used: 20 });
    const lines = await store.ledger.lines(accountId, "2026-05-01", "2026-05-31");
    expect(lines.map(({ keyId, requests, tokens }) => [keyId, requests, tokens])).toEqual([[live, 3, 20]]);
    const tested = await store.testLedger.lines(accountId, "2026-05-01", "2026-05-31");
    expect(tested.map(({ keyId, requests, tokens }) => [keyId, requests, tokens])).toEqual([[test, 3, 20]]);
  });

  it("reserves and settles for a test key without reserving live tokens, and vice versa", async () => {
    const {
      accountId,
      live: [live = ""],
      test: [test = ""],
    } = await addAccount("small");
    const [decision] = await store.metering.apply([asTest(reserve(test, `t ${test}`, 20))]);
    expect(decision).toMatchObject({ outcome: "granted", balance: { tokensRemaining: 0 } });
    const [granted] = await store.metering.apply([reserve(live, `l ${live}`, 20)]);
    expect(granted).toMatchObject({ outcome: "granted", balance: { tokensRemaining: 0 } });
    // A reservation exists in its own ledger only.
    expect(
      await outcomes(
        store.metering.apply([
          settle(test, `t ${test}`, 1),
          asTest(settle(live, `l ${live}`, 1)),
          asTest(settle(test, `t ${test}`, 5)),
          settle(live, `l ${live}`, 7),
        ]),
      ),
    ).toEqual(["revoked", "revoked", "granted 5", "granted 7"]);
    expect(await store.ledger.spent(accountId)).toMatchObject({ used: 7 });
    expect(await store.testLedger.spent(accountId)).toMatchObject({ used: 5 });
  });

  it("releases a test key's reservation when it expires", async () => {
    const {
      test: [test = ""],
    } = await addAccount("small");
    await store.metering.apply([asTest(reserve(test, `r ${test}`, 20, 1_000))]);
    expect(await outcomes(store.metering.apply([asTest(call(test, 1))]))).toEqual(["quota"]);
    fixture.nowMs += 1_001;
    expect(await outcomes(store.metering.apply([asTest(call(test, 1))]))).toEqual(["granted 1"]);
  });

  it("grants exactly the allowance to an account's test keys over two connections, and to live ones at the same time", async () => {
    const { accountId, live, test } = await addAccount("wide", 2);
    const other = await fixture.connect();
    const asks = [...live.map((keyId) => call(keyId, 1)), ...test.map((keyId) => asTest(call(keyId, 1)))];
    const pending = Array.from({ length: 60 }, () =>
      [store, other].map((connection) => decisions(connection.metering.apply([...asks, ...asks]))),
    ).flat();
    const decided = (await Promise.all(pending)).flat();
    expect(decided.filter(({ outcome }) => outcome === "granted")).toHaveLength(200);
    for (const ledger of [store.ledger, store.testLedger]) {
      expect(await ledger.spent(accountId)).toMatchObject({ used: 100 });
      const lines = await ledger.lines(accountId, "2026-05-01", "2026-05-31");
      expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(100);
    }
  });

  it("leaves nothing of a deleted account", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small", 1);
    await store.metering.apply([
      asTest(call(keyIds[0] ?? "", 1)),
      asTest(reserve(keyIds[0] ?? "", `d ${accountId}`, 1)),
    ]);
    await store.people.deleteAccount(accountId, "0".repeat(64), fixture.nowMs);
    expect(await store.testLedger.spent(accountId)).toBeUndefined();
    expect(await store.testLedger.lines(accountId, "2026-05-01", "2026-05-31")).toEqual([]);
  });
}
