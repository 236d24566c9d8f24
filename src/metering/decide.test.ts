import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minuteOf, monthOf, presentPeriod } from "../lib/periods.ts";
import { type AccountRow, available, balanceOf, type Decided, decide, type KeyRow } from "./decide.ts";

const TIER = { monthlyTokens: 12, ratePerMinute: 5 };
const BEGIN_MS = Date.UTC(2026, 11, 31, 23, 55);

const freshKey = (keyId: string): KeyRow => ({
  keyId,
  accountId: "acc_1",
  isRevoked: false,
  minute: 0,
  callsInMinute: 0,
});
const FRESH_ACCOUNT: AccountRow = {
  accountId: "acc_1",
  tierName: "t",
  isSuspended: false,
  month: 0,
  used: 0,
  reserved: 0,
};

const step = fc.record({
  key: fc.nat(2),
  price: fc.constantFrom(0, 1, 1, 5, 13),
  /** May be above the price, although a charge never is. */
  charge: fc.nat(15),
  reserves: fc.boolean(),
  byMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: -90_000, max: 90_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(-40 * 86_400_000, 40 * 86_400_000) },
  ),
});
type Step = { key: number; price: number; charge: number; reserves: boolean; byMs: number };

/** Takes steps from fresh rows, records all months, and passes on each decision with the state before it. */
function run(
  steps: readonly Step[],
  look: (decided: Decided, before: { key: KeyRow; account: AccountRow }, step: Step, nowMs: number) => void,
): void {
  const keys = [freshKey("a"), freshKey("b"), freshKey("c")];
  const months = new Map<number, AccountRow>();
  let account = FRESH_ACCOUNT;
  let nowMs = BEGIN_MS;
  for (const one of steps) {
    nowMs += one.byMs;
    const key = keys[one.key] ?? freshKey("a");
    const month = presentPeriod(account.month, nowMs, monthOf);
    const decided = decide(key, months.get(month) ?? { ...FRESH_ACCOUNT, month }, TIER, nowMs, one);
    look(decided, { key, account }, one, nowMs);
    keys[one.key] = decided.key;
    account = decided.account;
    months.set(month, account);
  }
}

const courses = fc.array(step, { maxLength: 60 });

describe("a decision", () => {
  it("never grants more than the limit or the allowance, in any order, with any keys and clock jumps", () => {
    fc.assert(
      fc.property(courses, (steps) => {
        const calls = new Map<string, number>();
        const tokens = new Map<number, number>();
        run(steps, ({ outcome, charged, key, account }, before, { price, reserves }) => {
          // After a window was reset, the counts of it and the one before are unknown.
          if (key.minute < before.key.minute) calls.clear();
          if (outcome !== "granted") return expect(charged).toBe(0);
          const window = `${key.keyId} ${key.minute}`;
          const count = (calls.get(window) ?? 0) + 1;
          calls.set(window, count);
          expect(count).toBeLessThanOrEqual(TIER.ratePerMinute);
          tokens.set(account.month, (tokens.get(account.month) ?? 0) + (reserves ? price : charged));
          expect(charged).toBeLessThanOrEqual(price);
          expect(account.used + account.reserved).toBe(tokens.get(account.month));
        });
        for (const sum of tokens.values()) expect(sum).toBeLessThanOrEqual(TIER.monthlyTokens);
      }),
    );
  });

  it("resets a window or month only if it is more than five minutes ahead of the clock, and then to now", () => {
    fc.assert(
      fc.property(courses, (steps) => {
        run(steps, ({ key, account }, before, _step, nowMs) => {
          const soonMs = nowMs + 300_000;
          const expected = (last: number, periodOf: (ms: number) => number) =>
            last <= periodOf(soonMs) ? Math.max(last, periodOf(nowMs)) : periodOf(nowMs);
          expect(key.minute).toBe(expected(before.key.minute, minuteOf));
          expect(account.month).toBe(expected(before.account.month, monthOf));
        });
      }),
    );
  });

  it("keeps a period that begins within five minutes, to the millisecond, and resets one that begins later", () => {
    const next = monthOf(BEGIN_MS) + 1;
    const present = (nowMs: number) => presentPeriod(next, nowMs, monthOf);
    expect([present(BEGIN_MS - 1), present(BEGIN_MS)]).toEqual([next - 1, next]);
    const full = { ...freshKey("a"), minute: minuteOf(BEGIN_MS) + 5, callsInMinute: TIER.ratePerMinute };
    const free = { price: 0, charge: 0, reserves: false };
    const outcome = (nowMs: number) => decide(full, FRESH_ACCOUNT, TIER, nowMs, free).outcome;
    expect([outcome(BEGIN_MS - 1), outcome(BEGIN_MS)]).toEqual(["granted", "rate"]);
  });

  it("counts every decision except a rate refusal towards the limit, and refuses only if necessary", () => {
    fc.assert(
      fc.property(courses, (steps) => {
        run(steps, ({ outcome, key, account }, before, { price }) => {
          const calls = key.minute === before.key.minute ? before.key.callsInMinute : 0;
          expect(key.callsInMinute).toBe(calls + (outcome === "rate" ? 0 : 1));
          if (outcome === "rate") expect(calls).toBe(TIER.ratePerMinute);
          if (outcome === "quota") {
            expect(price).toBeGreaterThan(available(account, TIER));
            if (account.month === before.account.month) expect(account).toEqual(before.account);
          }
        });
      }),
    );
  });

  it("checks revocation, then expiry, the rate, the address, suspension, and finally the allowance", () => {
    const nowMs = BEGIN_MS;
    const full = { ...freshKey("a"), minute: minuteOf(nowMs), callsInMinute: TIER.ratePerMinute };
    const suspended = { ...FRESH_ACCOUNT, isSuspended: true };
    const dear = { price: 99, charge: 99, reserves: false };
    const outcome = (key: KeyRow, account: AccountRow, isBarred = false) =>
      decide(key, account, TIER, nowMs, { ...dear, ...(isBarred && { denial: "outside" as const }) }).outcome;
    expect(outcome({ ...full, isRevoked: true, isExpired: true }, suspended, true)).toBe("revoked");
    expect(outcome({ ...full, isExpired: true }, suspended, true)).toBe("expired");
    expect(outcome(full, suspended, true)).toBe("rate");
    expect(outcome(freshKey("a"), suspended, true)).toBe("outside");
    expect(outcome(freshKey("a"), suspended)).toBe("suspended");
    expect(outcome(freshKey("a"), FRESH_ACCOUNT)).toBe("quota");
  });

  it("allows a free call when nothing is left, and after a downgrade", () => {
    const account = { ...FRESH_ACCOUNT, month: monthOf(BEGIN_MS), used: 40 };
    const free = decide(freshKey("a"), account, TIER, BEGIN_MS, { price: 0, charge: 0, reserves: false });
    expect(free.outcome).toBe("granted");
    expect(balanceOf(free.key, free.account, TIER, BEGIN_MS)).toMatchObject({
      tokensUsed: 40,
      tokensRemaining: 0,
      rateRemaining: TIER.ratePerMinute - 1,
      tokensResetSeconds: Date.UTC(2027, 0, 1) / 1_000,
      rateResetSeconds: BEGIN_MS / 1_000 + 60,
    });
  });
});
