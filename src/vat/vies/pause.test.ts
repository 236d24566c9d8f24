import { describe, expect, it } from "vitest";
import { numberOf } from "../../../test/kit/viesResults.ts";
import { serving, upstreamAt, YES } from "../../../test/kit/viesServer.ts";
import { viesBreakers } from "./breakers.ts";
import { ViesClient } from "./client.ts";

/** Never reached, even on a machine that stalls for seconds. */
const LONG_MS = 120_000;
const long = () => AbortSignal.timeout(LONG_MS);
const PL = numberOf("PL", 0);

describe("a pause that VIES asks for", () => {
  const DE = numberOf("DE", 0);
  const busy = { errorWrappers: [{ error: "MS_MAX_CONCURRENT_REQ" }], actionSucceed: false };
  const unexpected = { errorWrappers: [{ error: "VOW-ERR-1" }], actionSucceed: false };
  const inTwoMinutes = {
    date: "Thu, 26 Nov 2026 10:00:00 GMT",
    "retry-after": "Thu, 26 Nov 2026 10:02:00 GMT",
  };

  /** Sends requests to a VIES that rejects the first one and accepts the others. */
  async function pausing(status: number, headers: Record<string, string>, body: unknown) {
    let arrived = 0;
    const { url } = await serving((_, response) => {
      arrived += 1;
      if (arrived > 1) response.end(JSON.stringify(YES));
      else response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    const clock = { nowMs: 0 };
    const breakers = viesBreakers({ now: () => clock.nowMs });
    const options = { perState: 8, callWithinMs: LONG_MS, firstRetryAfterMs: 1 };
    const client = new ViesClient({ upstream: upstreamAt(url), breakers, ...options });
    const first = await client.ask(PL, undefined, long());
    const askAt = async (nowMs: number, number = PL) => {
      clock.nowMs = nowMs;
      return (await client.ask(number, undefined, long())).kind;
    };
    return { first, askAt, arrived: () => arrived };
  }

  it.each([
    [429, { "retry-after": "120" }, "slow down"],
    [503, { "retry-after": "120" }, "<html>"],
    [503, inTwoMinutes, ""],
    [503, { "retry-after": "120" }, unexpected],
  ])("with HTTP %i and %j applies to all later calls", async (status, headers, body) => {
    const { first, askAt, arrived } = await pausing(status, headers, body);
    expect(first).toMatchObject({ kind: "no-answer", scope: "vies", retryAfterSeconds: 120 });
    for (const nowMs of [0, 60_000, 119_999]) {
      expect([await askAt(nowMs), await askAt(nowMs, DE)]).toEqual(["no-answer", "no-answer"]);
    }
    expect(arrived()).toBe(1);
    expect([await askAt(120_000), await askAt(120_000, DE)]).toEqual(["answer", "answer"]);
  });

  it.each([200, 429])("for one state applies only to that state: HTTP %i", async (status) => {
    const { askAt, arrived } = await pausing(status, { "retry-after": "30" }, busy);
    expect([await askAt(29_999), await askAt(29_999, DE)]).toEqual(["no-answer", "answer"]);
    expect(arrived()).toBe(2);
    expect(await askAt(30_000)).toBe("answer");
  });

  it("is at most ten minutes, and absent if unreadable", async () => {
    const far = await pausing(429, { "retry-after": "86400" }, "");
    expect([await far.askAt(599_999), await far.askAt(600_000)]).toEqual(["no-answer", "answer"]);
    for (const nothing of ["0", "soon", "Mon, 01 Jan 2001 00:00:00 GMT"]) {
      const { first } = await pausing(429, { "retry-after": nothing }, "");
      expect(first.kind).toBe("answer");
    }
  });
});
