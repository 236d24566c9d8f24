/** Autocomplete with a typing session is paid for once, according to its responses, `/v1/usage` and the ledger. */
import { describe, expect, it } from "vitest";
import type { Registry } from "../../src/registry/types.ts";
import { type Answer, codeOf, inject, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { load } from "../kit/client.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { serveOverKvk } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";

const MINUTE_MS = 60_000;
const TIERS = {
  "one-token": { ...PLENTY, monthlyTokens: 1 },
  "five-a-minute": { ...PLENTY, ratePerMinute: 5 },
};
/** One word is looked up and charged in one step; several words are checked first. */
const WORDS = ["fabelkorst", "fabel+korst"] as const;

let made = 0;
const newSession = () => `0123456789_-abcdef${++made}`;

const server = await sharedPostgres();
const stores: [string, () => Promise<Record<string, string>>][] = [
  ["the embedded state", async () => ({})],
  ["the state on PostgreSQL", async () => ({ DATABASE_URL: await server.database("typing") })],
];

describe.each(variants(stores, { ordinary: 1 }))("a typing session, on %s", async (_name, environmentOf) => {
  const world = await makeWorld({ tiers: TIERS, environment: await environmentOf() });
  let isBroken = false;
  const service = await composeInProcess(world, {
    replace: ({ registry }) => ({ registry: breakable(registry, () => isBroken) }),
  });
  const type = (key: string, session: string | undefined, q: string = WORDS[0], method = "GET") => {
    const path = `/v1/autocomplete?q=${q}${session === undefined ? "" : `&session=${session}`}`;
    return inject(service.app, { method, path, key });
  };
  const chargesOf = (answers: readonly Answer[]) =>
    answers.map((answer) =>
      answer.status === 200 ? numberIn(answer, "x-tokens-charged") : (codeOf(answer) ?? answer.status),
    );
  const lineOf = async (key: string) => {
    const usage = jsonOf(await inject(service.app, { path: "/v1/usage", key })) as {
      operations: { operation: string }[];
    };
    return usage.operations.find(({ operation }) => operation === "autocomplete");
  };

  it.each(WORDS)("costs one token for forty-one calls and one for the next, typing %s", async (q) => {
    const { key, id } = await service.account("plenty");
    const session = newSession();
    const answers: Answer[] = [];
    for (let index = 0; index < 43; index++) answers.push(await type(key, session, q));
    expect(chargesOf(answers)).toEqual([1, ...Array(40).fill(0), 1, 0]);
    expect(await lineOf(key)).toEqual({
      operation: "autocomplete",
      requests: 43,
      tokens: 2,
      refusals: 0,
      sessions: 2,
      sessionCalls: 43,
    });
    expect((await service.state.ledger.spent(id))?.used).toBe(2);
    expect(chargesOf([await type(key, undefined, q)])).toEqual([1]);
  });

  it.each(WORDS)("costs one token for concurrent calls, typing %s", async (q) => {
    const { key } = await service.account("plenty");
    const session = newSession();
    const answers = await Promise.all(Array.from({ length: 30 }, () => type(key, session, q)));
    expect(chargesOf(answers).sort()).toEqual([...Array(29).fill(0), 1]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it.each(WORDS)("is delivered to its end without tokens left, typing %s", async (q) => {
    const { key } = await service.account("one-token");
    const session = newSession();
    const answers: Answer[] = [];
    for (let index = 0; index < 42; index++) answers.push(await type(key, session, q));
    expect(chargesOf(answers)).toEqual([1, ...Array(40).fill(0), "QUOTA_EXCEEDED"]);
    expect(chargesOf([await type(key, newSession(), q), await type(key, undefined, q)])).toEqual([
      "QUOTA_EXCEEDED",
      "QUOTA_EXCEEDED",
    ]);
    expect(await lineOf(key)).toMatchObject({
      requests: 44,
      tokens: 1,
      refusals: 3,
      sessions: 1,
      sessionCalls: 41,
    });
  });

  it("is reported at the terminal", async () => {
    const { key, id } = await service.account("plenty");
    const session = newSession();
    for (let index = 0; index < 3; index++) await type(key, session);
    const { out } = await opzoek(["usage", id, "--month", "2026-03"], world.environment);
    expect(out).toMatch(/autocomplete +3 calls +1 tokens, .*, typing sessions: 1 with 3 calls$/m);
  });

  it("costs one token when concurrent first calls need the last one", async () => {
    const { key } = await service.account("one-token");
    const session = newSession();
    const answers = await Promise.all(Array.from({ length: 20 }, () => type(key, session)));
    expect(chargesOf(answers).sort()).toEqual([...Array(19).fill(0), 1]);
  });

  it("ends three minutes after its first call", async () => {
    const { key } = await service.account("plenty");
    const session = newSession();
    const first = await type(key, session);
    service.setClock(NOON + 3 * MINUTE_MS);
    const last = await type(key, session);
    service.setClock(NOON + 3 * MINUTE_MS + 1);
    const next = await type(key, session);
    service.setClock(NOON);
    expect(chargesOf([first, last, next])).toEqual([1, 0, 1]);
  });

  it("belongs to one key", async () => {
    const { keys } = await service.account("plenty", 2);
    const session = newSession();
    const answers: Answer[] = [];
    for (const { key } of [...keys, ...keys]) answers.push(await type(key, session));
    expect(chargesOf(answers)).toEqual([1, 1, 0, 0]);
  });

  it("does not begin with a failed call, whether by the caller's fault, the service's, or the rate", async () => {
    const { key, id } = await service.account("five-a-minute");
    const session = newSession();
    const bad = await type(key, session, "a");
    isBroken = true;
    const broken = [await type(key, session), await type(key, session, WORDS[1])];
    isBroken = false;
    expect(chargesOf([bad, ...broken])).toEqual(["INVALID_REQUEST", "INTERNAL_ERROR", "INTERNAL_ERROR"]);
    const answers = [await type(key, session), await type(key, session), await type(key, newSession())];
    expect(chargesOf(answers)).toEqual([1, 0, "RATE_LIMIT_EXCEEDED"]);
    expect(numberIn(answers[1] as Answer, "x-ratelimit-remaining")).toBe(0);
    const lines = await service.state.ledger.lines(id, "2026-03-15", "2026-03-15");
    expect(lines).toMatchObject([{ requests: 5, tokens: 1, refusedByRate: 1, sessions: 1, sessionCalls: 2 }]);
  });

  it("takes no place for a call that fails within it", async () => {
    const { key } = await service.account("plenty");
    const session = newSession();
    await type(key, session);
    isBroken = true;
    for (const q of WORDS) expect(chargesOf([await type(key, session, q)])).toEqual(["INTERNAL_ERROR"]);
    isBroken = false;
    const answers: Answer[] = [];
    for (let index = 0; index < 41; index++) answers.push(await type(key, session));
    expect(chargesOf(answers)).toEqual([...Array(40).fill(0), 1]);
  });

  it("works with HEAD, like GET without the body", async () => {
    const { key } = await service.account("plenty");
    const session = newSession();
    expect(chargesOf([await type(key, session, WORDS[0], "HEAD"), await type(key, session)])).toEqual([1, 0]);
  });

  it.each(["short", "a".repeat(65), "0123456789abcde%20", "0123456789abcdefé", ""])(
    "with the format %j is invalid input, which is not quoted, and costs nothing",
    async (session) => {
      const { key } = await service.account("plenty");
      const answer = await type(key, session);
      expect(chargesOf([answer])).toEqual(["INVALID_REQUEST"]);
      expect(messageOf(answer)).toBe("session must be 16 to 64 of the characters A-Z, a-z, 0-9, _ and -");
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    },
  );

  it("is accepted by autocomplete only", async () => {
    const { key } = await service.account("plenty");
    const answer = await inject(service.app, {
      path: `/v1/search?q=fabelkorst&session=${newSession()}`,
      key,
    });
    expect(chargesOf([answer])).toEqual(["INVALID_REQUEST"]);
  });
});

describe("a typing session that queries KVK's search", async () => {
  const { kvk, world, service, get, account } = await serveOverKvk({
    tiers: TIERS,
    environment: { KVK_DEADLINE_MS: "30000" },
  });
  const path = (q: string, session: string) => `/v1/autocomplete?q=${q}&session=${session}`;
  const charged = (answer: Answer) =>
    answer.status === 200 ? numberIn(answer, "x-tokens-charged") : codeOf(answer);

  it("is paid for once by concurrent calls, and costs nothing when KVK is down", async () => {
    const session = newSession();
    kvk.setFault("*", { kind: "latency", ms: 200 });
    const calls = ["postduif", "appel", "voorbij"].map((q) => ({ path: path(q, session), key: account.key }));
    const { answers } = await load(service, calls, { connections: 3 });
    kvk.clearFaults();
    expect(answers.map(charged).sort()).toEqual([0, 0, 1]);
    expect(charged(await get(path("nergens", session)))).toBe(0);
    const other = newSession();
    kvk.setFault("*", { kind: "reset" });
    const failed = await get(path("elders", other));
    kvk.clearFaults();
    expect([failed.status, numberIn(failed, "x-tokens-charged")]).toEqual([502, 0]);
  });

  it("begins with the last token when several concurrent first calls need it", async () => {
    const { key } = await world.account("one-token");
    const session = newSession();
    kvk.setFault("*", { kind: "hang" });
    const pending = ["zwaluw", "merel", "mees"].map((q) => get(path(q, session), key));
    await until("all are at KVK", () => kvk.counts.all.inFlight === 3);
    const [other, free] = [await get(path("vink", newSession()), key), await get("/v1/usage", key)];
    kvk.clearFaults();
    expect([charged(other), numberIn(free, "x-tokens-remaining")]).toEqual(["QUOTA_EXCEEDED", 0]);
    expect((await Promise.all(pending)).map(charged).sort()).toEqual([0, 0, 1]);
    expect(charged(await get(path("merel", session), key))).toBe(0);
  });

  it("loses no place to following calls that fail at KVK", async () => {
    const { key } = await world.account("one-token");
    const session = newSession();
    expect(charged(await get(path("kievit", session), key))).toBe(1);
    kvk.setFault("*", { kind: "reset" });
    for (const q of ["grutto", "wulp"])
      expect(charged(await get(path(q, session), key))).toBe("UPSTREAM_ERROR");
    kvk.clearFaults();
    const answers: Answer[] = [];
    for (let index = 0; index < 41; index++) answers.push(await get(path("kievit", session), key));
    expect(answers.map(charged)).toEqual([...Array(40).fill(0), "QUOTA_EXCEEDED"]);
  });
});

/** The registry, which can be made to fail for autocomplete. */
function breakable(registry: Registry, isBroken: () => boolean): Registry {
  return {
    get current() {
      const { current } = registry;
      if (current === undefined) return undefined;
      return new Proxy(current, {
        get(target, name) {
          if (name === "completing" && isBroken()) throw new Error("broken on purpose");
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
    },
    close: () => registry.close(),
  };
}
