import { expect, it } from "vitest";
import { balanceOf } from "../../metering/decide.ts";
import type { ChargeRequest, Decision, TellEarly } from "../../metering/store.ts";
import { byWays } from "./ways.ts";

const call = (keyId: string): ChargeRequest => ({
  kind: "call",
  keyId,
  operation: "lookup",
  price: 1,
  charge: 1,
});
const callsOf = (...keyIds: string[]) => keyIds.map(call);

/** A decision that tells who made it of whom. */
function granted(by: string, { keyId }: ChargeRequest): Decision {
  const balance = balanceOf(
    { keyId: `${by} ${keyId}`, accountId: "acc", isRevoked: false, minute: 0, callsInMinute: 1 },
    { accountId: `${by} ${keyId}`, tierName: "t", isSuspended: false, month: 0, used: 1, reserved: 0 },
    { monthlyTokens: 5, ratePerMinute: 8 },
    0,
  );
  return { outcome: "granted", charged: 1, balance };
}

const told = (decisions: readonly (Decision | undefined)[]) =>
  decisions.map((decision) =>
    decision !== undefined && "balance" in decision ? decision.balance.accountId : "",
  );

/**
 * Ways that note what they are asked. Keys that begin with `t` have a tab; the database charges or grants those that end with `+`, and with
 * `?` those that it tells the tab of instead.
 */
function waysThat(fail: Partial<Record<"charge" | "grant" | "decide", (keyIds: string[]) => boolean>> = {}) {
  const asked: string[] = [];
  const tabs = new Set<string>();
  const note = (way: "charge" | "grant" | "decide", requests: readonly ChargeRequest[]) => {
    const keyIds = requests.map(({ keyId }) => keyId);
    asked.push([way, ...keyIds].join(" "));
    if (fail[way]?.(keyIds)) throw new Error(`${way} failed`);
  };
  const some = (by: string, requests: readonly ChargeRequest[]) =>
    requests.map((request) => (request.keyId.endsWith("+") ? granted(by, request) : undefined));
  return {
    asked,
    hasTab: ({ keyId }: ChargeRequest) => keyId.startsWith("t") || tabs.has(keyId),
    async charge(requests: readonly ChargeRequest[]) {
      note("charge", requests);
      return some("charge", requests);
    },
    async grant(requests: readonly ChargeRequest[]) {
      note("grant", requests);
      for (const { keyId } of requests) if (keyId.endsWith("?")) tabs.add(keyId);
      return some("grant", requests);
    },
    async decide(requests: readonly ChargeRequest[]) {
      note("decide", requests);
      return requests.map((request) => granted("decide", request));
    },
  };
}

it("has the database grant where a batch is worth it, and decides a smaller one at once", async () => {
  for (const size of [1, 2, 3, 4, 5]) {
    const ways = waysThat();
    const keyIds = Array.from({ length: size }, (_, index) => `k${index}`);
    const all = await byWays(callsOf(...keyIds), () => {}, ways);
    expect(told(all)).toEqual(keyIds.map((keyId) => `decide ${keyId}`));
    expect(ways.asked[0]?.startsWith("grant")).toBe(size >= 4);
  }
});

it("tells what was granted before the rest is decided, and gives all in their order", async () => {
  const ways = waysThat();
  const early: unknown[] = [];
  const all = await byWays(
    callsOf("a", "b+", "c", "d+"),
    (some) => early.push(told(some), ways.asked.length),
    ways,
  );
  expect(early).toEqual([["", "grant b+", "", "grant d+"], 1]);
  expect(told(all)).toEqual(["decide a", "grant b+", "decide c", "grant d+"]);
  expect(ways.asked).toEqual(["grant a b+ c d+", "decide a c"]);
});

it("decides nothing more when all was granted or charged", async () => {
  const ways = waysThat();
  const all = await byWays(callsOf("t+", "a+", "b+", "c+", "d+"), () => {}, ways);
  expect(told(all)).toEqual(["charge t+", "grant a+", "grant b+", "grant c+", "grant d+"]);
  expect(ways.asked).toEqual(["charge t+", "grant a+ b+ c+ d+"]);
});

it("charges what has a tab however little it is, and decides what the tab does not cover beside the rest", async () => {
  const ways = waysThat();
  const all = await byWays(callsOf("t1", "t2+", "a"), () => {}, ways);
  expect(told(all)).toEqual(["decide t1", "charge t2+", "decide a"]);
  expect(ways.asked).toEqual(["charge t1 t2+", "decide a", "decide t1"]);
});

it("charges to tabs what the database told the tabs of instead of granting it", async () => {
  const ways = waysThat();
  const all = await byWays(callsOf("a+", "b?", "c", "d+"), () => {}, ways);
  expect(told(all)).toEqual(["grant a+", "decide b?", "decide c", "grant d+"]);
  expect(ways.asked).toEqual(["grant a+ b? c d+", "charge b?", "decide c", "decide b?"]);
});

it.each([
  ["a tab's charge", { charge: () => true }, ["", "grant a+", "grant b+", "grant c+", "grant d+"]],
  ["the grant", { grant: () => true }, ["charge t+", "", "", "", ""]],
] as const)("tells what was decided beside it when %s fails", async (_what, fail, expected) => {
  const ways = waysThat(fail);
  const early: string[] = [];
  const all = byWays(
    callsOf("t+", "a+", "b+", "c+", "d+"),
    (some) => {
      for (const [index, one] of told(some).entries()) if (one !== "") early[index] = one;
    },
    ways,
  );
  await expect(all).rejects.toThrow(/failed/);
  expect(Array.from({ length: 5 }, (_, index) => early[index] ?? "")).toEqual(expected);
});

it("tells what was decided of the one when the rest of the other fails", async () => {
  const ways = waysThat({ decide: (keyIds) => keyIds.includes("t") });
  const early: string[] = [];
  const all = byWays(
    callsOf("t", "a"),
    (some) => {
      for (const [index, one] of told(some).entries()) if (one !== "") early[index] = one;
    },
    ways,
  );
  await expect(all).rejects.toThrow("decide failed");
  expect(early[1]).toBe("decide a");
  expect(early[0]).toBeUndefined();
});

it("tells what the one has decided while the other is still deciding", async () => {
  const ways = waysThat();
  const { promise: grantEnds, resolve: endGrant } = Promise.withResolvers<void>();
  const { promise: isTold, resolve: tell } = Promise.withResolvers<void>();
  const early: string[][] = [];
  const tellEarly: TellEarly = (some) => {
    early.push(told(some));
    tell();
  };
  const all = byWays(callsOf("t+", "a+", "b+", "c+", "d+"), tellEarly, {
    ...ways,
    async grant(requests) {
      await grantEnds;
      return ways.grant(requests);
    },
  });
  await isTold;
  expect(early).toEqual([["charge t+", "", "", "", ""]]);
  endGrant();
  expect(told(await all)).toEqual(["charge t+", "grant a+", "grant b+", "grant c+", "grant d+"]);
  expect(early).toHaveLength(1);
});

it("tells nothing when both fail", async () => {
  const ways = waysThat({ charge: () => true, grant: () => true });
  const early: unknown[] = [];
  await expect(
    byWays(callsOf("t+", "a+", "b+", "c+", "d+"), (some) => early.push(some), ways),
  ).rejects.toThrow(/failed/);
  expect(early).toEqual([]);
});
