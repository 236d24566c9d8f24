/** Potentially slow work begins only after the store confirms rate and tokens. */
import { describe, expect, it } from "vitest";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { Steps } from "../../src/lib/steps.ts";
import type { ChargeRequest } from "../../src/metering/store.ts";
import type { Registry, Snapshot } from "../../src/registry/types.ts";
import { type Answer, codeOf, inject, jsonOf, numberIn } from "../kit/answer.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";

const TIERS = {
  "no-tokens": { ...PLENTY, monthlyTokens: 0 },
  "three-tokens": { ...PLENTY, monthlyTokens: 3 },
  "four-a-minute": { ...PLENTY, ratePerMinute: 4 },
};
const SEARCH = "/v1/search?q=fabelkorst";

const server = await sharedPostgres();
const stores: [string, () => Promise<Record<string, string>>][] = [
  ["the embedded state", async () => ({})],
  ["the state on PostgreSQL", async () => ({ DATABASE_URL: await server.database("asked_first") })],
];

describe.each(variants(stores, { ordinary: 1 }))("a search, on %s", async (_name, environmentOf) => {
  const world = await makeWorld({ tiers: TIERS, environment: await environmentOf() });
  let searches = 0;
  let asks = 0;
  const service = await composeInProcess(world, {
    replace: ({ registry, state }) => ({
      registry: counting(registry, () => searches++),
      state: watchedState(state, (requests) => {
        asks += requests.filter(({ kind }) => kind !== "refusals").length;
      }),
    }),
  });
  const search = (key: string, method = "GET", path = SEARCH): Promise<Answer> =>
    inject(service.app, { method, path, key });
  const atOnce = (count: number, key: string) =>
    Promise.all(Array.from({ length: count }, () => search(key)));
  const codesOf = (answers: readonly Answer[]) =>
    answers.map((answer) => (answer.status === 200 ? "delivered" : codeOf(answer))).sort();
  const lineOf = async (key: string) => {
    const usage = jsonOf(await inject(service.app, { path: "/v1/usage", key })) as {
      operations: { operation: string }[];
    };
    return usage.operations.find(({ operation }) => operation === "search");
  };

  it.each(["GET", "HEAD"])("is not started by %s for an account without tokens", async (method) => {
    const { key } = await service.account("no-tokens");
    searches = 0;
    const answer = await search(key, method);
    expect([answer.status, searches]).toEqual([429, 0]);
    expect(numberIn(answer, "x-ratelimit-remaining")).toBe(PLENTY.ratePerMinute - 1);
    expect(await lineOf(key)).toMatchObject({ requests: 1, tokens: 0, refusals: 1 });
  });

  it("for autocomplete takes its first step at once, and corrects several words only if the account can pay", async () => {
    const { key } = await service.account("no-tokens");
    const rich = await service.account("plenty");
    const stepsOf = async (by: string, typed: string) => {
      [searches, asks] = [0, 0];
      const answer = await search(by, "GET", `/v1/autocomplete?q=${typed}`);
      return [answer.status === 200 ? 200 : codeOf(answer), searches, asks];
    };
    const found = "stichting+fabel";
    expect(await stepsOf(rich.key, found)).toEqual([200, 1, 1]);
    expect(await stepsOf(key, found)).toEqual(["QUOTA_EXCEEDED", 1, 1]);
    const misspelled = "stichtung+fabell";
    expect(await stepsOf(key, misspelled)).toEqual(["QUOTA_EXCEEDED", 1, 1]);
    expect(await stepsOf(rich.key, misspelled)).toEqual([200, 2, 2]);
    expect(await stepsOf(rich.key, "fabelkorst")).toEqual([200, 1, 1]);
  });

  it("is started as often as the rate allows, however many arrive at once, and takes one slot each", async () => {
    const { key } = await service.account("four-a-minute");
    searches = 0;
    const answers = await atOnce(20, key);
    expect(codesOf(answers).filter((code) => code === "delivered")).toHaveLength(4);
    expect(codesOf(answers).filter((code) => code === "RATE_LIMIT_EXCEEDED")).toHaveLength(16);
    expect(searches).toBe(4);
    const left = answers.filter(({ status }) => status === 200);
    expect(left.map((answer) => numberIn(answer, "x-tokens-charged"))).toEqual([1, 1, 1, 1]);
  });

  it("is delivered exactly as often as tokens are left, and charged and counted once", async () => {
    const { key, id } = await service.account("three-tokens");
    expect(codesOf(await atOnce(8, key))).toEqual([
      ...Array(5).fill("QUOTA_EXCEEDED"),
      ...Array(3).fill("delivered"),
    ]);
    expect((await service.state.ledger.spent(id))?.used).toBe(3);
    expect(await lineOf(key)).toMatchObject({ requests: 8, tokens: 3, refusals: 5 });
  });

  it("uses the store's current data: a larger plan, a suspension and a revocation apply to the next call", async () => {
    const { key, id, keys } = await service.account("no-tokens");
    expect(codeOf(await search(key))).toBe("QUOTA_EXCEEDED");
    await service.state.accounts.setTier(id, "plenty");
    expect((await search(key)).status).toBe(200);
    searches = 0;
    await service.state.accounts.setSuspended(id, true, "2026-03-15T12:00:00.000Z");
    expect(codeOf(await search(key))).toBe("FORBIDDEN");
    await service.state.accounts.setSuspended(id, false, "2026-03-15T12:00:00.000Z");
    await service.state.accounts.revokeKey(keys[0]?.id ?? "", "2026-03-15T12:00:00.000Z");
    expect(codeOf(await search(key))).toBe("UNAUTHORIZED");
    expect(searches).toBe(0);
  });

  it("returns 401 without a balance if its key is revoked meanwhile, and costs nothing", async () => {
    const { key, id, keys } = await service.account("plenty");
    const revoke = async (requests: readonly ChargeRequest[]) => {
      if (!requests.some((ask) => ask.kind === "call" && ask.isCounted === true)) return;
      await service.state.accounts.revokeKey(keys[0]?.id ?? "", "2026-03-15T12:00:00.000Z");
    };
    const { app } = await composeInProcess(world, {
      replace: ({ state }) => ({ state: watchedState(state, revoke) }),
    });
    const answer = await inject(app, { path: SEARCH, key });
    expect([codeOf(answer), answer.headers["x-tokens-remaining"]]).toEqual(["UNAUTHORIZED", undefined]);
    expect((await service.state.ledger.spent(id))?.used ?? 0).toBe(0);
  });
});

/** The state, with a callback before it decides requests. */
function watchedState(
  state: StateStore,
  before: (requests: readonly ChargeRequest[]) => void | Promise<void>,
): StateStore {
  const apply = async (requests: readonly ChargeRequest[]) => {
    await before(requests);
    return state.metering.apply(requests);
  };
  const { metering } = state;
  return { ...state, metering: { apply, findKeys: (hashes) => metering.findKeys(hashes) } };
}

/** The registry, with a callback for each search and each step of autocomplete. */
function counting(registry: Registry, onSearch: () => void): Registry {
  return {
    get current() {
      const { current } = registry;
      return current && watched(current, onSearch);
    },
    close: () => registry.close(),
  };
}

function watched(snapshot: Snapshot, onSearch: () => void): Snapshot {
  return new Proxy(snapshot, {
    get(target, name) {
      if (name === "completing") {
        return (q: string, limit: number) => stepwise(target.completing(q, limit), onSearch);
      }
      if (name === "search") onSearch();
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function* stepwise<Result>(steps: Steps<Result>, onStep: () => void): Steps<Result> {
  for (;;) {
    onStep();
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}
