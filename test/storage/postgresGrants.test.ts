/** Calls that the database itself grants: the same guarantees, and the same decisions, as when a node decides on all. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastUse, sumsByMonth } from "../../src/metering/ledgerSums.ts";
import type { ChargeRequest, Decision } from "../../src/metering/store.ts";
import { NO_FIGURES } from "../../src/metering/usage.ts";
import type { PostgresState } from "../../src/storage/postgres/postgresState.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, newKey, type OpenOptions, reserve, StoreFixture } from "../kit/stores/fixture.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

const server = await sharedPostgres();

/** So many batches before a tab that there is none. */
const openStore = async (options: OpenOptions): Promise<PostgresState> =>
  openByClock(await server.databaseOf(options.folder), options, 1_000_000);

/**
 * A store whose batches are granted first and only then decided, as the meter has it, but for batches with a key that the
 * store has not read yet: calls of one account that come together are then decided in another order than the suite's.
 */
function grantingFirst(store: PostgresState): StateStore {
  const read = new Set<string>();
  const apply = (asks: readonly ChargeRequest[]) => {
    const areRead = asks.every(({ keyId }) => read.has(keyId));
    for (const { keyId } of asks) read.add(keyId);
    return areRead ? applyGranted(store, asks) : store.metering.decide(asks);
  };
  const { metering } = store;
  return { ...store, metering: { apply, findKeys: (hashes) => metering.findKeys(hashes) } };
}

async function applyGranted(
  { metering }: PostgresState,
  asks: readonly ChargeRequest[],
): Promise<readonly Decision[]> {
  const granted = await metering.grant(asks);
  const left = await metering.decide(asks.filter((_, place) => granted[place] === undefined));
  const rest = left.values();
  return asks.flatMap((_, place) => granted[place] ?? rest.next().value ?? []);
}

stateStoreSuite("the state on PostgreSQL, with what is plain granted first", async (options) =>
  grantingFirst(await openStore(options)),
);

describe("a call that the database grants", () => {
  const APRIL = "2026-04-15T12:00:30.000Z";
  let fixture: StoreFixture<PostgresState>;
  let store: PostgresState;
  beforeAll(async () => {
    fixture = new StoreFixture(openStore, APRIL);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  /** An account that has been active this month and is known to the store: what its next call asks for is plain. */
  async function active(tierName = "small") {
    fixture.nowIso = APRIL;
    const { accountId, keyIds } = await fixture.addAccount(store, tierName);
    const [key = ""] = keyIds;
    await store.metering.apply([call(key, 2)]);
    return { accountId, key };
  }
  const grant = async (...asks: ChargeRequest[]) => store.metering.grant(asks);
  const ledgerOf = (accountId: string) => store.ledger.lines(accountId, "2000-01-01", "2999-12-31");

  it("is charged, counted and filed, each account once, with the balance that a decision tells", async () => {
    const [one, other] = [await active(), await active()];
    const told = await grant(call(one.key, 5), call(other.key, 4, 1));
    expect(told).toMatchObject([
      {
        outcome: "granted",
        charged: 5,
        balance: { accountId: one.accountId, tokensUsed: 7, rateRemaining: 4 },
      },
      {
        outcome: "granted",
        charged: 1,
        balance: { accountId: other.accountId, tokensUsed: 3, rateRemaining: 4 },
      },
    ]);
    const [decided] = await store.metering.apply([call(one.key, 0)]);
    expect(decided).toMatchObject({ balance: { tokensUsed: 7, rateRemaining: 3, tokensRemaining: 13 } });
    const day = { keyId: one.key, day: "2026-04-15", operation: "lookup" };
    expect(await ledgerOf(one.accountId)).toEqual([
      {
        ...day,
        ...NO_FIGURES,
        requests: 3,
        tokens: 7,
      },
    ]);
  });

  it("is granted with all that follow with the same key, each with the balance of its turn, or none of them is", async () => {
    const { accountId, key } = await active();
    const told = await grant(call(key, 1), { ...call(key, 5), operation: "search" }, call(key, 4, 0));
    const balance = (tokensUsed: number, rateRemaining: number) => ({
      balance: { tokensUsed, rateRemaining },
    });
    expect(told).toMatchObject([balance(3, 4), balance(8, 3), balance(8, 2)]);
    expect(
      (await ledgerOf(accountId)).map(({ operation, requests, tokens }) => [operation, requests, tokens]),
    ).toEqual([
      ["lookup", 3, 3],
      ["search", 1, 5],
    ]);
    const three = [call(key, 0), call(key, 0), call(key, 0)];
    expect(await grant(...three)).toEqual([undefined, undefined, undefined]);
    const outcomes = (await store.metering.apply(three)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["granted", "granted", "rate"]);
  });

  it.each([
    ["that are covered one after the other", [7, 11], [7, 11]],
    ["of which the last wants more than the others leave", [7, 12], [undefined, undefined]],
    ["of which the first wants all, and is not charged it", [18, 1], [0, 1]],
  ])("is granted among calls %s", async (_what, [first = 0, last = 0], charged) => {
    const { key } = await active();
    const firstCharge = charged[0] === 0 ? 0 : first;
    const told = await grant(call(key, first, firstCharge), call(key, last));
    expect(told.map((decision) => (decision?.outcome === "granted" ? decision.charged : undefined))).toEqual(
      charged,
    );
  });

  it("waits for what its account asked before, and nothing is granted where most would wait", async () => {
    const [one, other] = [await active(), await active()];
    const more = await fixture.addKey(store, one.accountId);
    await store.metering.apply([call(more, 0)]);
    const outcomes = async (...asks: ChargeRequest[]) =>
      (await grant(...asks)).map((decision) => decision?.outcome);
    expect(await outcomes(call(one.key, 1), call(more, 1), call(one.key, 1), call(other.key, 1))).toEqual([
      "granted",
      undefined,
      undefined,
      "granted",
    ]);
    const known = { ...call(one.key, 1), keep: { id: "a", requestHash: "one" } };
    const told = await outcomes(call(one.key, 1), known, call(other.key, 1));
    expect(told).toEqual(["granted", undefined, "granted"]);
    expect(await outcomes(call(one.key, 1), reserve(other.key, "r_1", 1), call(other.key, 1))).toEqual([]);
  });

  it.each<[string, (account: { accountId: string; key: string }) => Promise<ChargeRequest>]>([
    ["beyond the allowance", async ({ key }) => call(key, 19)],
    [
      "over the rate",
      async ({ key }) => {
        await store.metering.apply(Array.from({ length: 5 }, () => call(key, 0)));
        return call(key, 1);
      },
    ],
    [
      "of a suspended account",
      async ({ accountId, key }) => {
        await store.accounts.setSuspended(accountId, true, "2026-05-05T12:00:00.000Z");
        return call(key, 1);
      },
    ],
    [
      "with a revoked key",
      async ({ key }) => {
        await store.accounts.revokeKey(key, APRIL);
        return call(key, 1);
      },
    ],
    [
      "with a key that was rolled and has ended",
      async ({ accountId, key }) => {
        const endsAt = new Date(fixture.nowMs + 1).toISOString();
        await store.people.rollKey(key, newKey(`of ${key}`, accountId, APRIL), endsAt, 20);
        fixture.nowMs += 1;
        return call(key, 1);
      },
    ],
    [
      "with a key that has expired",
      async ({ key }) => {
        await store.accounts.changeKey(key, { expiresAt: new Date(fixture.nowMs).toISOString() });
        return call(key, 1);
      },
    ],
    [
      "with a key for some addresses, also from one of them",
      async ({ key }) => {
        await store.accounts.changeKey(key, { addresses: ["192.0.2.0/24"] });
        return { ...call(key, 1), address: "192.0.2.1" };
      },
    ],
    [
      "beside a reservation",
      async ({ key }) => {
        await store.metering.apply([reserve(key, `r_${key}`, 1)]);
        return call(key, 1);
      },
    ],
    [
      "with a key for browsers, whatever the request says of it",
      async ({ accountId, key }) => {
        const browser = { origins: ["https://shop.example"], mayLookUp: true, dailyTokens: 1 };
        const made = { ...newKey(`pub of ${key}`, accountId, APRIL), kind: "pub" as const, browser };
        await store.accounts.addKey(made, 20);
        await store.metering.decide([call(made.id, 0)]);
        return call(made.id, 1);
      },
    ],
    ["in a session of typing", async ({ key }) => ({ ...call(key, 1), session: "s" })],
    [
      "in a month that has just begun",
      async ({ key }) => {
        fixture.nowIso = "2026-05-01T00:00:00.000Z";
        return call(key, 1);
      },
    ],
    [
      "by a clock that was set back over the month's beginning",
      async ({ key }) => {
        fixture.nowIso = "2026-03-31T23:59:59.999Z";
        return call(key, 1);
      },
    ],
    [
      "by a clock that was set back by a minute",
      async ({ key }) => {
        fixture.nowIso = "2026-04-15T11:59:59.999Z";
        return call(key, 1);
      },
    ],
    [
      "of a plan that is not in the table",
      async ({ accountId, key }) => {
        await store.accounts.setTier(accountId, "gone");
        return call(key, 1);
      },
    ],
  ])("is none %s: nothing is changed, and the node decides", async (_what, prepare) => {
    const account = await active();
    const ask = await prepare(account);
    const before = [await ledgerOf(account.accountId), await store.ledger.spent(account.accountId)];
    // Empty where the database was not even asked.
    expect((await grant(ask)).filter((decision) => decision !== undefined)).toEqual([]);
    expect([await ledgerOf(account.accountId), await store.ledger.spent(account.accountId)]).toEqual(before);
  });

  it("is granted until its key expires", async () => {
    const { key } = await active();
    await store.accounts.changeKey(key, { expiresAt: new Date(fixture.nowMs + 1).toISOString() });
    expect(await grant(call(key, 1))).toMatchObject([{ outcome: "granted", charged: 1 }]);
    fixture.nowMs += 1;
    expect(await grant(call(key, 1))).toEqual([undefined]);
  });

  it("is in the ledger at once, whatever its key was charged for before, and stays there", async () => {
    const { accountId, key } = await active("large");
    const ask = (operation: "lookup" | "search", charge: number) => ({ ...call(key, charge), operation });
    const told = async () =>
      (await ledgerOf(accountId)).map(({ day, operation, requests, tokens }) =>
        [day.slice(-2), operation, requests, tokens].join(" "),
      );
    await grant(ask("lookup", 1));
    await grant(ask("lookup", 1), ask("lookup", 2));
    expect(await told()).toEqual(["15 lookup 4 6"]);
    await grant(ask("search", 3));
    expect(await told()).toEqual(["15 lookup 4 6", "15 search 1 3"]);
    await grant(ask("lookup", 1), ask("search", 1), ask("lookup", 1));
    expect(await told()).toEqual(["15 lookup 6 8", "15 search 2 4"]);
    fixture.nowIso = "2026-04-16T00:00:00.000Z";
    await grant(ask("search", 0), ask("lookup", 1));
    await store.metering.apply([ask("search", 2)]);
    const all = ["15 lookup 6 8", "15 search 2 4", "16 lookup 1 1", "16 search 2 2"];
    expect(await told()).toEqual(all);
    const figures = { ...NO_FIGURES, requests: 11, tokens: 15 };
    const months = await sumsByMonth(store.ledger, accountId, "2026-04-01");
    expect(months).toEqual([{ month: "2026-04", ...figures }]);
    expect(await lastUse(store.ledger, accountId, [key])).toEqual([{ keyId: key, day: "2026-04-16" }]);
    const traffic = { day: "2026-04-16", accounts: 1, ...figures, requests: 3, tokens: 3 };
    expect(await store.ledger.traffic("2026-04-16")).toEqual([traffic]);
    await store.accounts.revokeKey(key, APRIL);
    expect(await told()).toEqual(all);
  });

  it("is counted in the day and the minute of the database's clock, to the last millisecond", async () => {
    const { accountId, key } = await active("large");
    fixture.nowIso = "2026-04-30T23:59:59.999Z";
    expect(await grant(call(key, 1))).toMatchObject([
      { outcome: "granted", balance: { rateRemaining: 39, rateResetSeconds: Date.UTC(2026, 4, 1) / 1_000 } },
    ]);
    const days = (await ledgerOf(accountId)).map(({ day, tokens }) => [day, tokens]);
    expect(days).toEqual([
      ["2026-04-15", 2],
      ["2026-04-30", 1],
    ]);
  });
});
