import { describe, expect, it } from "vitest";
import { answered, numberOf } from "../../../test/kit/viesResults.ts";
import { viesBreakers } from "./breakers.ts";
import { ViesClient } from "./client.ts";
import { OTHER_NUMBER } from "./codes.ts";
import type { ViesResult } from "./results.ts";

/** Never reached, even on a machine that stalls for seconds. */
const LONG_MS = 120_000;
const long = () => AbortSignal.timeout(LONG_MS);
const VALID = answered(true);

describe("answers about another number", () => {
  /** A client whose next answers are set by the test, with a manual clock. */
  function mixingUp() {
    const clock = { nowMs: 0 };
    const changes: string[] = [];
    const breakers = viesBreakers({
      now: () => clock.nowMs,
      onChange: (what, isOpen, reason) => changes.push(`${what} ${isOpen ? "opens" : "closes"}: ${reason}`),
    });
    let next: ViesResult = OTHER_NUMBER;
    const upstream = {
      check: async () => next,
      availability: async () => undefined,
      close: async () => undefined,
    };
    const options = { perState: 8, callWithinMs: LONG_MS, firstRetryAfterMs: 1 };
    const client = new ViesClient({ upstream, breakers, ...options });
    const ask = (index: number, result: ViesResult) => {
      next = result;
      return client.ask(numberOf("NL", index), undefined, long());
    };
    return { clock, changes, breakers, ask };
  }

  it("pause all of VIES after five numbers, unless a right one comes between", async () => {
    const { breakers, ask, clock, changes } = mixingUp();
    for (const index of [2, 3, 4, 5]) await ask(index, OTHER_NUMBER);
    await ask(9, VALID);
    for (const index of [2, 3, 4, 5]) await ask(index, OTHER_NUMBER);
    expect(breakers.failing.isShared).toBe(false);
    await ask(1, OTHER_NUMBER);
    expect(breakers.failing).toEqual({ isShared: true, targets: [] });
    clock.nowMs = 2_000;
    expect(await ask(1, VALID)).toBe(VALID);
    expect(changes).toEqual(["vies opens: OTHER_NUMBER", "vies closes: answered"]);
  });

  it("pause nothing when they repeat for the same number", async () => {
    const { breakers, ask } = mixingUp();
    for (let round = 0; round < 50; round++) {
      expect(await ask(1, OTHER_NUMBER)).toMatchObject({ kind: "no-answer", reason: "OTHER_NUMBER" });
    }
    expect(breakers.permits("NL")).toBe(true);
    expect(breakers.failing.isShared).toBe(false);
  });
});
