/** Many requests behind one call: batches of any length, pages of a search, keystrokes in a field. */
import { setImmediate as turn } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type BatchProgress, Opzoek, OpzoekError, type SearchAnswer } from "../../client/src/index.ts";
import { Transport } from "../../client/src/transport.ts";
import { Typing, type TypingOptions } from "../../client/src/typing.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS, TYPING_SESSION } from "../../src/contract/typingSession.ts";
import { until } from "../kit/until.ts";
import { refusal, type Scripted, type ScriptedServer, startScripted } from "./scripted.ts";

const KEY = "opz_live_not_a_real_one";

let server: ScriptedServer;
let opzoek: Opzoek;
beforeAll(async () => {
  server = await startScripted();
  opzoek = new Opzoek({ baseUrl: server.address, key: KEY });
});

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(50_000_000 + at));
const companies = (count: number): Scripted => ({
  body: {
    results: numbers(count).map((kvkNumber) => ({ kvkNumber, name: "Fabel", address: {}, isActive: true })),
    failed: [],
    tokensUsed: count,
  },
});
/** A response that says the rate is used up for the given number of seconds. */
const usedUp = (seconds: number) => ({
  "x-ratelimit-limit": 10,
  "x-ratelimit-remaining": 0,
  "x-ratelimit-reset": Math.ceil(Date.now() / 1_000) + seconds,
});
const sentNumbers = (): string[][] =>
  server.seen.map(({ body }) => (JSON.parse(body) as { kvkNumbers: string[] }).kvkNumbers);

/**
 * Waits for the client's work, on a clock that advances with the turns of the event loop, in which responses arrive: a
 * stalled machine takes none of the client's time.
 */
async function inTurns<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const done = Promise.allSettled([work()]);
  let isOver = false;
  void done.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await turn();
    vi.advanceTimersByTime(TURN_MS);
  }
  const [ended] = await done;
  if (ended.status === "rejected") throw ended.reason;
  return ended.value;
}

const TURN_MS = 5;

describe("a batch", () => {
  it("of any length is sent in hundreds, each number once and in order, and reports progress", async () => {
    server.answer(companies(100), companies(100), companies(50));
    const sent = numbers(250);
    const updates: BatchProgress[] = [];
    const answer = await opzoek.batch([...sent, ...sent.toReversed()], {
      onProgress: (progress) => updates.push(progress),
    });
    expect(sentNumbers().flat()).toEqual(sent);
    expect(sentNumbers().map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(updates.map(({ done, total, tokensUsed }) => [done, total, tokensUsed])).toEqual([
      [100, 250, 100],
      [200, 250, 200],
      [250, 250, 250],
    ]);
    expect([answer.results.length, answer.tokensUsed]).toEqual([250, 250]);
  });

  it("of nothing sends nothing", async () => {
    server.answer(refusal(400, "INVALID_REQUEST"));
    expect(await opzoek.batch([])).toEqual({ results: [], failed: [], tokensUsed: 0 });
    expect(server.seen).toEqual([]);
  });

  it("that stops midway returns the paid results, and lists the remaining numbers", async () => {
    server.answer(companies(100), refusal(429, "QUOTA_EXCEEDED", { "retry-after": 0 }));
    const sent = numbers(150);
    const error: unknown = await opzoek.batch(sent).catch((thrown: unknown) => thrown);
    if (!(error instanceof OpzoekError)) throw new Error(`not an error of the client: ${String(error)}`);
    expect([error.code, server.seen.length]).toEqual(["QUOTA_EXCEEDED", 2]);
    expect(error.partial?.results.length).toBe(100);
    expect(error.partial?.tokensUsed).toBe(100);
    expect(error.partial?.remaining).toEqual(sent.slice(100));
  });

  it("that stops midway at a foreign response returns the paid results too", async () => {
    server.answer(companies(100), { body: { portal: "log in" } });
    const call = opzoek.batch(numbers(150));
    await expect(call).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER", partial: { tokensUsed: 100 } });
  });

  it("that stops midway because no key is supplied any more returns the paid results too", async () => {
    server.answer(companies(100));
    const keys = [KEY];
    const key = async () => keys.pop() ?? Promise.reject(new Error("the token could not be renewed"));
    const call = new Opzoek({ baseUrl: server.address, key }).batch(numbers(150));
    await expect(call).rejects.toMatchObject({ code: "KEY_ERROR", partial: { tokensUsed: 100 } });
  });

  it("has one idempotency key per hundred, even if one is given for all", async () => {
    server.answer(companies(100));
    const keys = () => server.seen.map(({ headers }) => headers["idempotency-key"]);
    await opzoek.batch(numbers(200));
    expect(new Set(keys()).size).toBe(2);
    server.answer(companies(100));
    await opzoek.batch(numbers(200), { idempotencyKey: "list-of-november-2026" });
    expect(keys()).toEqual(["list-of-november-2026-0", "list-of-november-2026-100"]);
  });

  it("waits as long as requested, beyond the deadline of a call", async () => {
    server.answer(companies(100), refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": 3 }), companies(10));
    const answeredAtMs: number[] = [];
    const patient = new Opzoek({ baseUrl: server.address, key: KEY, timeoutMs: 2_900, retries: 0 });
    const onAnswer = () => answeredAtMs.push(Date.now());
    const answer = await inTurns(() => patient.batch(numbers(110), { onAnswer }));
    expect([answer.results.length, server.seen.length]).toEqual([110, 3]);
    const [, second = 0, third = 0] = answeredAtMs;
    expect(third - second).toBeGreaterThanOrEqual(3_000);
  });

  it("reuses the idempotency key of a hundred that waits for the rate limit, as an earlier response may have been lost", async () => {
    server.answer("reset", refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": 3 }), companies(10));
    const hurried = new Opzoek({ baseUrl: server.address, key: KEY, timeoutMs: 2_900 });
    await inTurns(() => hurried.batch(numbers(10)));
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it("can be aborted while it waits", async () => {
    server.answer({ ...(companies(100) as object), headers: usedUp(50) });
    const controller = new AbortController();
    const call = opzoek.batch(numbers(200), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(call).rejects.toMatchObject({ code: "ABORTED", partial: { tokensUsed: 100 } });
    expect(server.seen).toHaveLength(1);
  });
});

/** Pages of ten rows, up to the given total. */
const page = (rows: number, total: number, more: object = {}): Scripted => ({
  body: { results: Array.from({ length: rows }, () => ({})), total, page: 1, pageSize: 10, ...more },
});

describe("a search", () => {
  const pages = async (...words: Parameters<Opzoek["search"]>): Promise<SearchAnswer[]> => {
    // State left by another test does not matter.
    const fresh = new Opzoek({ baseUrl: server.address, key: KEY });
    const all: SearchAnswer[] = [];
    for await (const one of fresh.search(...words)) all.push(one);
    return all;
  };
  const requestedPages = () =>
    server.seen.map(({ path }) => Number(new URL(path, server.address).searchParams.get("page")));

  it("requests page after page until every hit was returned, and no page more", async () => {
    server.answer(page(10, 25), page(10, 25), page(5, 25));
    expect((await pages({ q: "fabel" })).length).toBe(3);
    expect(requestedPages()).toEqual([1, 2, 3]);
    server.answer(page(10, 10));
    expect((await pages({ q: "fabel" })).length).toBe(1);
    server.answer(page(0, 0));
    expect((await pages({ q: "fabel" })).length).toBe(1);
  });

  it("ends with the thousandth row, the last one that the service returns", async () => {
    server.answer(page(10, 10_000, { totalIsExact: false }));
    expect((await pages({ city: "Utrecht", page: 98 })).length).toBe(3);
    expect(requestedPages()).toEqual([98, 99, 100]);
    server.answer({ body: { results: Array.from({ length: 30 }, () => ({})), total: 5_000 } });
    await pages({ city: "Utrecht", pageSize: 30, page: 32 });
    expect(requestedPages()).toEqual([32, 33]);
  });

  it("continues while the total is unknown, until a page is not full", async () => {
    server.answer(page(10, 10, { totalIsExact: false }), page(3, 13, { totalIsExact: false }));
    expect((await pages({ q: "fabel" })).length).toBe(2);
  });

  it("has one idempotency key per page, even if one is given for all", async () => {
    server.answer(page(10, 20));
    await pages({ q: "fabel" }, { idempotencyKey: "report-of-november" });
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(["report-of-november-1", "report-of-november-2"]);
  });

  it("requests only the pages that are read", async () => {
    server.answer(page(10, 500));
    const fresh = new Opzoek({ baseUrl: server.address, key: KEY });
    for await (const _ of fresh.search({ q: "fabel" })) break;
    expect(server.seen).toHaveLength(1);
  });
});

describe("a field", () => {
  const found: Scripted = { body: { results: [] } };

  it("aborts the previous keystroke only", async () => {
    server.answer("nothing", found);
    const field = opzoek.typing();
    const controller = new AbortController();
    const other = opzoek.typing().suggest("ander", { signal: controller.signal, timeoutMs: 60_000 });
    await until("the other field's keystroke is waiting", () => server.seen.length === 1);
    const before = field.suggest("fa");
    const [aborted] = await Promise.allSettled([before, field.suggest("fab")]);
    expect(aborted).toMatchObject({ status: "rejected", reason: { name: "AbortError", code: "ABORTED" } });
    controller.abort("left last");
    await expect(other).rejects.toMatchObject({ code: "ABORTED", cause: "left last" });
  });

  it("can be left, and aborted by a signal", async () => {
    server.answer("nothing");
    const field = opzoek.typing();
    const left = field.suggest("fa");
    field.cancel();
    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    const sent = field.suggest("fab", { signal: AbortSignal.abort() });
    await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a typing session", () => {
  const found: Scripted = { body: { results: [] } };
  const sessions = () =>
    server.seen.map(({ path }) => new URL(path, server.address).searchParams.get("session"));
  const clock = { nowMs: Date.UTC(2026, 10, 22) };
  const field = (options: TypingOptions = {}) =>
    new Typing(new Transport({ baseUrl: server.address, key: KEY }), options, () => clock.nowMs);

  it("lasts as many calls as the service allows; the next call begins another", async () => {
    server.answer(found);
    const typed = field();
    const most = 1 + MAX_FOLLOWERS;
    for (let call = 0; call < 2 * most + 1; call++) await typed.suggest("fabel");
    const [first, other, third] = [...new Set(sessions())];
    expect(sessions().filter((session) => session === first)).toHaveLength(most);
    expect(sessions().filter((session) => session === other)).toHaveLength(most);
    expect(sessions().at(-1)).toBe(third);
    expect(first).toMatch(new RegExp(TYPING_SESSION.pattern, "u"));
  });

  it("lasts as long as the service allows from its first successful call, and a failed call begins none", async () => {
    server.answer(refusal(404, "NOT_FOUND"), found);
    const typed = field();
    await typed.suggest("fa").catch(() => undefined);
    clock.nowMs += 2_000 * SESSION_SECONDS;
    await typed.suggest("fab");
    clock.nowMs += 1_000 * SESSION_SECONDS - 1;
    await typed.suggest("fabe");
    clock.nowMs += 1;
    await typed.suggest("fabel");
    const [failed, first, within, after] = sessions();
    expect([failed, within]).toEqual([first, first]);
    expect(after).not.toBe(first);
  });

  it("is the token's own if there is one, for any number of calls and minutes", async () => {
    server.answer(found);
    const session = "typing-session-0001";
    const typed = field({ session });
    for (let call = 0; call < 3 + MAX_FOLLOWERS; call++) await typed.suggest("fabel");
    clock.nowMs += 2_000 * SESSION_SECONDS;
    await typed.suggest("fabel");
    expect([...new Set(sessions())]).toEqual([session]);
  });

  it("is separate for each field", async () => {
    server.answer(found);
    await field().suggest("fabel");
    await field().suggest("fabel");
    expect(new Set(sessions()).size).toBe(2);
  });

  it("covers its retries: a repeated keystroke needs no idempotency key", async () => {
    server.answer("reset", found);
    await field().suggest("fabel");
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, undefined]);
  });
});
