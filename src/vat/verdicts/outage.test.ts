import { describe, expect, it, onTestFinished } from "vitest";
import { LIFETIMES, LONG_MS, MemoryStore, NOW_MS } from "../../../test/kit/verdicts.ts";
import { numberOf } from "../../../test/kit/viesResults.ts";
import { upstreamAt } from "../../../test/kit/viesServer.ts";
import { startViesSimulator } from "../../demo/vies/server.ts";
import { viesBreakers } from "../vies/breakers.ts";
import { ViesClient } from "../vies/client.ts";
import type { Verdict } from "./verdict.ts";
import { Verdicts } from "./verdicts.ts";

const NUMBERS = Array.from({ length: 40 }, (_, index) => numberOf("PL", index));

/** The verdicts of the service over a simulated VIES, with stored verdicts of adjustable age. */
async function service({ deadlineMs = LONG_MS } = {}) {
  const vies = await startViesSimulator();
  onTestFinished(() => vies.stop());
  const clock = { nowMs: NOW_MS };
  const breakers = viesBreakers({ openForMs: 20 });
  const client = new ViesClient({
    upstream: upstreamAt(vies.url),
    breakers,
    perState: 8,
    callWithinMs: deadlineMs,
    firstRetryAfterMs: 1,
  });
  const verdicts = new Verdicts({
    store: new MemoryStore(),
    ask: (number, requester, deadline) => client.ask(number, requester, deadline),
    lifetimes: LIFETIMES,
    deadlineMs,
    batchDeadlineMs: LONG_MS,
    now: () => clock.nowMs,
    confirmAfterMs: 1,
  });
  const ask = async (number = numberOf("PL", 0)) =>
    (await verdicts.fromStore([number]))[0] ?? (await verdicts.fromVies(number));
  return {
    breakers,
    ask,
    all: () => Promise.all(NUMBERS.map((number) => ask(number))),
    age: () => {
      clock.nowMs += 2 * LIFETIMES.freshForMs;
    },
    vies,
  };
}

describe("VIES that fails under load", () => {
  it("makes every verdict stale with its previous result, and is used again when it recovers", async () => {
    const { all, age, ask, vies, breakers } = await service();
    const before = await all();
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set(["validated"]));
    age();
    const underLoad = [all(), all(), all()];
    vies.setFault("*", { kind: "reset" });
    const during = [...(await Promise.all(underLoad)), await all(), await all()].flat();
    const validOf = (returned: readonly Verdict[]) => returned.map((one) => "valid" in one && one.valid);
    for (let start = 0; start < during.length; start += NUMBERS.length) {
      expect(validOf(during.slice(start, start + NUMBERS.length))).toEqual(validOf(before));
    }
    expect((await all()).map(({ status }) => status)).toEqual(NUMBERS.map(() => "stale"));
    expect(breakers.failing.isShared).toBe(true);
    const startedMs = performance.now();
    for (let count = 0; count < 200; count++) expect(await ask()).toMatchObject({ status: "stale" });
    expect(performance.now() - startedMs).toBeLessThan(LONG_MS / 4);
    expect(await ask(numberOf("PL", 99))).toMatchObject({ status: "unvalidated" });

    vies.clearFaults();
    await expect.poll(() => ask(), { interval: 5, timeout: LONG_MS }).toMatchObject({ status: "validated" });
    expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set(["validated"]));
    expect(breakers.failing).toEqual({ isShared: false, targets: [] });
  });

  it("never delays callers beyond their deadline, and not at all once the breaker is open", async () => {
    const { all, age, ask, vies, breakers } = await service({ deadlineMs: 60 });
    const answered = async () => (await all()).every(({ status }) => status === "validated");
    await expect.poll(answered, { interval: 5, timeout: LONG_MS }).toBe(true);
    age();
    vies.setFault("PL", { kind: "hang" });
    const startedMs = performance.now();
    expect((await all()).map(({ status }) => status)).toEqual(NUMBERS.map(() => "stale"));
    expect(performance.now() - startedMs).toBeLessThan(LONG_MS / 4);
    await expect
      .poll(() => breakers.failing, { interval: 5, timeout: LONG_MS })
      .toEqual({ isShared: false, targets: ["PL"] });
    vies.setFault("PL", undefined);
    await expect.poll(() => ask(), { interval: 5, timeout: LONG_MS }).toMatchObject({ status: "validated" });
  });

  it("is never reported as an invalid number", async () => {
    const { all, age, vies } = await service();
    const before = await all();
    for (const fault of [
      { kind: "html" },
      { kind: "html", status: 200 },
      { kind: "reset" },
      { kind: "truncated" },
      { kind: "cutJson" },
      { kind: "emptyErrors" },
      { kind: "nullError" },
      { kind: "missingValid" },
      { kind: "wrongValid" },
      { kind: "otherNumber" },
      { kind: "code", code: "NEVER_SEEN" },
      { kind: "code", code: "VOW-ERR-1" },
      { kind: "code", code: "INVALID_INPUT", status: 400 },
    ] as const) {
      age();
      vies.setFault("*", fault);
      for (const [index, returned] of (await all()).entries()) {
        const { status: _now, ageSeconds: _age, ...result } = { ageSeconds: 0, ...returned };
        const { status: _before, ...earlier } = before[index] ?? returned;
        expect(returned.status).toBe("stale");
        expect(result).toEqual(earlier);
      }
    }
  });

  it("is asked twice before a valid number becomes invalid", async () => {
    const { ask, age, vies } = await service();
    const known = NUMBERS.slice(0, 10);
    const before = await Promise.all(known.map(ask));
    age();
    vies.setFault("PL", { kind: "invalid" });
    const requests = vies.counts.all.requests;
    expect(await Promise.all(known.map(ask))).toMatchObject(known.map(() => ({ valid: false })));
    const yes = before.filter((returned) => "valid" in returned && returned.valid).length;
    expect(yes).toBeGreaterThan(0);
    expect(vies.counts.all.requests - requests).toBe(known.length + yes);
  });
});
