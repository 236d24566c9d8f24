import type { RequestListener } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answered, FAULTS, numberOf } from "../../../test/kit/viesResults.ts";
import { serving, upstreamAt, YES } from "../../../test/kit/viesServer.ts";
import type { StateCode } from "../numbers/states.ts";
import { viesBreakers } from "./breakers.ts";
import { ViesClient, type ViesClientOptions } from "./client.ts";
import {
  CUT_SHORT,
  NOT_ASKED,
  QUEUED_TOO_LONG,
  resultOfCode,
  TIMED_OUT,
  UNREACHABLE,
  UNREADABLE,
} from "./codes.ts";
import type { ViesResult } from "./results.ts";
import type { ViesUpstream } from "./upstream.ts";

/** Never reached, even on a machine that stalls for seconds. */
const LONG_MS = 120_000;
const VALID = answered(true);
const PL = numberOf("PL", 0);

function clientOf(upstream: ViesUpstream, more: Partial<ViesClientOptions> = {}) {
  const breakers = viesBreakers({ now: () => 0 });
  const options = { perState: 8, callWithinMs: LONG_MS, firstRetryAfterMs: 1, ...more };
  return { breakers, client: new ViesClient({ upstream, breakers, ...options }) };
}

/** A client over a real server. */
async function overServer(listener: RequestListener, more: Partial<ViesClientOptions> = {}) {
  const { url, stop } = await serving(listener);
  return { ...clientOf(upstreamAt(url), more), stop };
}

/** An upstream that returns these results in order, and then the last one repeatedly. */
function scripted(...results: ViesResult[]): ViesUpstream & { readonly calls: () => number } {
  let calls = 0;
  return {
    check: async () => results[Math.min(calls++, results.length - 1)] ?? UNREACHABLE,
    availability: async () => undefined,
    close: async () => undefined,
    calls: () => calls,
  };
}

const long = () => AbortSignal.timeout(LONG_MS);
const elapsedSince = (startedMs: number) => performance.now() - startedMs;

describe("a retry", () => {
  it.each(FAULTS)("is made at most twice, and only if it can help: %s", async (_, result) => {
    const upstream = scripted(result);
    // A timeout reported at once cannot be that of this call.
    const expected = result === TIMED_OUT ? CUT_SHORT : result;
    expect(await clientOf(upstream).client.ask(PL, undefined, long())).toMatchObject({
      kind: expected.kind,
      reason: "reason" in expected && expected.reason,
    });
    expect(upstream.calls()).toBe(result.kind === "no-answer" && result.isTransient ? 3 : 1);
  });

  it.each([
    "MS_UNAVAILABLE",
    "MS_MAX_CONCURRENT_REQ",
    "MS_MAX_CONCURRENT_REQ_TIME",
    "GLOBAL_MAX_CONCURRENT_REQ",
    "GLOBAL_MAX_CONCURRENT_REQ_TIME",
    "SERVICE_UNAVAILABLE",
    "TIMEOUT",
    "SERVER_BUSY",
    "VOW-ERR-1",
  ])("succeeds after %s", async (code) => {
    const upstream = scripted(resultOfCode(code), resultOfCode(code), VALID);
    expect(await clientOf(upstream).client.ask(PL, undefined, long())).toBe(VALID);
  });

  it.each([
    "IP_BLOCKED",
    "VAT_BLOCKED",
    "INVALID_INPUT",
    "INVALID_REQUESTER_INFO",
    "VOW-ERR-11",
    "NEVER_SEEN",
  ])("is not made after %s", async (code) => {
    const upstream = scripted(resultOfCode(code), VALID);
    expect((await clientOf(upstream).client.ask(PL, undefined, long())).kind).not.toBe("answer");
    expect(upstream.calls()).toBe(1);
  });

  it("is not made after the deadline, which also ends the pause before it", async () => {
    const upstream = scripted(resultOfCode("MS_UNAVAILABLE"));
    const { client } = clientOf(upstream, { firstRetryAfterMs: 200 });
    const over = new AbortController();
    const result = client.ask(PL, undefined, over.signal);
    await turn();
    expect(upstream.calls()).toBe(1);
    over.abort();
    expect(await result).toBe(TIMED_OUT);
    expect(upstream.calls()).toBe(1);
  });

  it("is not made if the first try has opened a breaker", async () => {
    const { client } = clientOf(scripted(resultOfCode("MS_UNAVAILABLE")));
    await client.ask(PL, undefined, long());
    expect(await client.ask(PL, undefined, long())).toBe(NOT_ASKED);
    expect(await client.ask(PL, undefined, long())).toBe(NOT_ASKED);
  });
});

describe("200 numbers of one state", () => {
  it("are all requested within the concurrency limit, without delaying other states", async () => {
    const inProgress = new Map<string, number>();
    const most = new Map<string, number>();
    const { client } = await overServer(
      async (request, response) => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const { countryCode: state } = JSON.parse(body) as { countryCode: string };
        const count = (inProgress.get(state) ?? 0) + 1;
        inProgress.set(state, count);
        most.set(state, Math.max(most.get(state) ?? 0, count));
        setTimeout(() => {
          inProgress.set(state, (inProgress.get(state) ?? 0) - 1);
          response.end(JSON.stringify(YES));
        }, 2);
      },
      { perState: 7 },
    );
    const ask = (state: StateCode, count: number) =>
      Array.from({ length: count }, (_, index) => client.ask(numberOf(state, index), undefined, long()));
    const results = await Promise.all([...ask("PL", 200), ...ask("DK", 20)]);
    expect(results.filter(({ kind }) => kind === "answer")).toHaveLength(220);
    expect([...most.keys()].sort()).toEqual(["DK", "PL"]);
    expect(Math.max(...most.values())).toBeLessThanOrEqual(7);
    expect(most.get("PL")).toBeGreaterThan(1);
  });

  it("end at their deadline if the state hangs, and leave no call in progress", async () => {
    const hanging = new Set<unknown>();
    const { client } = await overServer(
      (request, response) => {
        hanging.add(request);
        response.on("close", () => hanging.delete(request));
      },
      { perState: 3 },
    );
    const startedMs = performance.now();
    const deadline = AbortSignal.timeout(100);
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) => client.ask(numberOf("PL", index), undefined, deadline)),
    );
    expect(elapsedSince(startedMs)).toBeLessThan(LONG_MS / 4);
    expect(new Set(results)).toEqual(new Set([TIMED_OUT]));
    await expect.poll(() => hanging.size).toBe(0);
  });

  it("release their slots at their deadline, so that the next are served", async () => {
    let isHanging = true;
    const { client, breakers } = await overServer(
      (_, response) => {
        if (!isHanging) response.end(JSON.stringify(YES));
      },
      { perState: 2 },
    );
    const deadline = AbortSignal.timeout(50);
    const stuck = Array.from({ length: 100 }, (_, index) =>
      client.ask(numberOf("PL", index), undefined, deadline),
    );
    expect(new Set(await Promise.all(stuck))).toEqual(new Set([TIMED_OUT]));
    isHanging = false;
    // Calls aborted by callers say nothing about the state.
    expect(breakers.failing).toEqual({ isShared: false, targets: [] });
    const next = Array.from({ length: 20 }, (_, index) =>
      client.ask(numberOf("PL", index), undefined, long()),
    );
    expect((await Promise.all(next)).every(({ kind }) => kind === "answer")).toBe(true);
  });

  it("fail at once when the breaker of their state opens while they wait", async () => {
    const upstream = scripted(resultOfCode("MS_UNAVAILABLE"));
    const { client } = clientOf(upstream, { perState: 1 });
    const requests = Array.from({ length: 200 }, (_, index) =>
      client.ask(numberOf("PL", index), undefined, long()),
    );
    const words = await Promise.all(requests);
    expect(upstream.calls()).toBe(5);
    expect(words.filter((result) => result === NOT_ASKED).length).toBeGreaterThanOrEqual(195);
  });
});

describe("a call", () => {
  it("that times out counts against the state, whose breaker opens after five", async () => {
    const { client, breakers } = await overServer(() => undefined, { callWithinMs: 40, perState: 10 });
    const requests = Array.from({ length: 5 }, (_, index) =>
      client.ask(numberOf("PL", index), undefined, long()),
    );
    expect(await Promise.all(requests)).toEqual(Array(5).fill(TIMED_OUT));
    expect(breakers.failing).toEqual({ isShared: false, targets: ["PL"] });
    const startedMs = performance.now();
    expect(await client.ask(PL, undefined, long())).toBe(NOT_ASKED);
    expect(elapsedSince(startedMs)).toBeLessThan(LONG_MS / 4);
  });

  it("with little time left does not count", async () => {
    const outcomes: ViesResult[] = [];
    const { client, breakers } = await overServer(() => undefined, {
      callWithinMs: LONG_MS,
      onTried: (_, result) => outcomes.push(result),
    });
    const requests = Array.from({ length: 8 }, (_, index) =>
      client.ask(numberOf("PL", index), undefined, AbortSignal.timeout(20)),
    );
    await Promise.all(requests);
    await expect.poll(() => outcomes.length).toBe(8);
    expect(new Set(outcomes)).toEqual(new Set([CUT_SHORT]));
    expect(breakers.failing).toEqual({ isShared: false, targets: [] });
  });

  it("after its deadline is not made", async () => {
    const upstream = scripted(VALID);
    const result = await clientOf(upstream).client.ask(PL, undefined, AbortSignal.abort());
    expect([TIMED_OUT, QUEUED_TOO_LONG]).toContain(result);
    expect(upstream.calls()).toBe(0);
  });

  it("rejects after an internal error, and the next one is served", async () => {
    const upstream = scripted(VALID);
    const { check } = upstream;
    let isBroken = true;
    const { client } = clientOf(
      { ...upstream, check: (...of) => (isBroken ? Promise.reject(new Error("broke off")) : check(...of)) },
      { perState: 1 },
    );
    await expect(client.ask(PL, undefined, long())).rejects.toThrow("broke off");
    isBroken = false;
    expect(await client.ask(PL, undefined, long())).toBe(VALID);
  });

  it("leaves no listener on a long-lived signal", async () => {
    const { client } = clientOf(scripted(VALID));
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...of: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, of);
    };
    signal.removeEventListener = (...of: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, of);
    };
    for (let index = 0; index < 10; index++) await client.ask(numberOf("PL", index), undefined, signal);
    expect(listeners).toBe(0);
  });
});

describe("VIES away and back", () => {
  it.each([
    ["resets connections", (request) => request.socket.resetAndDestroy(), UNREACHABLE],
    ["sends HTML", (_, response) => response.writeHead(503).end("<html>"), UNREADABLE],
  ] as [string, RequestListener, ViesResult][])(
    "%s: calls fail fast until one probe succeeds",
    async (_, away, result) => {
      let isUnreachable = true;
      let arrived = 0;
      const { url } = await serving((request, response) => {
        arrived += 1;
        if (isUnreachable) away(request, response);
        else response.end(JSON.stringify(YES));
      });
      const clock = { nowMs: 0 };
      const breakers = viesBreakers({ now: () => clock.nowMs });
      const options = { perState: 8, callWithinMs: LONG_MS, firstRetryAfterMs: 1 };
      const client = new ViesClient({ upstream: upstreamAt(url), breakers, ...options });
      expect(await client.ask(PL, undefined, long())).toBe(result);
      expect(await client.ask(PL, undefined, long())).toBe(NOT_ASKED);
      expect([arrived, breakers.failing.isShared]).toEqual([5, true]);
      for (let index = 0; index < 100; index++) {
        expect(await client.ask(numberOf("DK", index), undefined, long())).toBe(NOT_ASKED);
      }
      expect(arrived).toBe(5);
      isUnreachable = false;
      clock.nowMs = 2_000;
      const words = await Promise.all(
        Array.from({ length: 20 }, (_, index) => client.ask(numberOf("DK", index), undefined, long())),
      );
      expect(words.filter(({ kind }) => kind === "answer")).toHaveLength(1);
      expect(arrived).toBe(6);
      expect((await client.ask(PL, undefined, long())).kind).toBe("answer");
    },
  );
});
