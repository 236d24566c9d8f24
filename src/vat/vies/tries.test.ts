import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answered, numberOf } from "../../../test/kit/viesResults.ts";
import { viesBreakers } from "./breakers.ts";
import { ViesClient } from "./client.ts";
import { NOT_ASKED, QUEUED_TOO_LONG, resultOfCode, UNREACHABLE } from "./codes.ts";
import type { ViesResult } from "./results.ts";

/** Never reached, even on a machine that stalls for seconds. */
const LONG_MS = 120_000;
const long = () => AbortSignal.timeout(LONG_MS);
const VALID = answered(true);
const PL = numberOf("PL", 0);

describe("each try is reported", () => {
  /** The reported tries, with a clock that advances 30 ms per call and a second after each try. */
  function clientWith(...outcomes: ViesResult[]) {
    let nowMs = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => now.mockRestore());
    const tries: unknown[] = [];
    const client = new ViesClient({
      upstream: {
        check: async () => {
          nowMs += 30;
          return (outcomes.length > 1 ? outcomes.shift() : outcomes[0]) ?? UNREACHABLE;
        },
        availability: async () => undefined,
        close: async () => undefined,
      },
      breakers: viesBreakers({ now: () => 0 }),
      perState: 1,
      callWithinMs: LONG_MS,
      firstRetryAfterMs: 1,
      onTried: (state, result, tookMs) => {
        tries.push([state, result, tookMs]);
        nowMs += 1_000;
      },
    });
    return { client, tries };
  }
  const busy = resultOfCode("MS_MAX_CONCURRENT_REQ");

  it("separately, with VIES's duration, without pauses and waits", async () => {
    const { client, tries } = clientWith(busy, busy, VALID);
    await Promise.all([client.ask(PL, undefined, long()), client.ask(PL, undefined, long())]);
    expect(tries).toEqual([busy, busy, VALID, VALID].map((word) => ["PL", word, 30]));
  });

  it("without a duration if VIES was not called because of a breaker or the queue", async () => {
    const { client, tries } = clientWith(busy);
    await client.ask(PL, undefined, long());
    expect(await client.ask(PL, undefined, long())).toBe(NOT_ASKED);
    expect(await client.ask(PL, undefined, long())).toBe(NOT_ASKED);
    await client.ask(numberOf("DK", 0), undefined, AbortSignal.abort());
    const asked = Array.from({ length: 5 }, () => ["PL", busy, 30]);
    const unasked = ["PL", NOT_ASKED, undefined];
    expect(tries).toEqual([...asked, unasked, unasked, ["DK", QUEUED_TOO_LONG, undefined]]);
  });
});
