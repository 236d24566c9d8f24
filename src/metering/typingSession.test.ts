import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TYPING_SESSION } from "../contract/typingSession.ts";
import { afterCall, openSession, type SessionProgress, sessionHash } from "./typingSession.ts";

const BEGAN_MS = Date.UTC(2026, 10, 30, 23, 58);
const MINUTE_MS = 60_000;
const openAfter = (byMs: number, followers = 0) =>
  openSession({ beganAtMs: BEGAN_MS, followers }, BEGAN_MS + byMs);

describe("a typing session", () => {
  it("begins with a first call, and is followed for three minutes to the millisecond", () => {
    expect(openSession(undefined, BEGAN_MS)).toBeUndefined();
    expect(afterCall(undefined, BEGAN_MS)).toEqual({ beganAtMs: BEGAN_MS, followers: 0 });
    expect(openAfter(3 * MINUTE_MS)).toEqual({ beganAtMs: BEGAN_MS, followers: 0 });
    expect(openAfter(3 * MINUTE_MS + 1)).toBeUndefined();
  });

  it("is followed by 40 calls, and the next one begins a new one", () => {
    expect(openAfter(1, 39)).toBeDefined();
    expect(openAfter(1, 40)).toBeUndefined();
  });

  it("continues if the clock goes back by five minutes at most, and is reset to now if it was further ahead", () => {
    expect(openAfter(-5 * MINUTE_MS, 7)).toEqual({ beganAtMs: BEGAN_MS, followers: 7 });
    expect(openAfter(-5 * MINUTE_MS - 1, 7)).toEqual({
      beganAtMs: BEGAN_MS - 5 * MINUTE_MS - 1,
      followers: 7,
    });
    expect(openAfter(-5 * MINUTE_MS - 1, 40)).toBeUndefined();
  });

  it("allows at most 40 calls to follow a paid one, whatever the clock does", () => {
    const moves = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: -400_000, max: 400_000 })),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(moves, (byMs) => {
        let nowMs = BEGAN_MS;
        let session: SessionProgress | undefined;
        let free = 0;
        for (const ms of byMs) {
          nowMs += ms;
          const open = openSession(session, nowMs);
          free = open === undefined ? 0 : free + 1;
          session = afterCall(open, nowMs);
          expect(session.followers).toBe(free);
        }
        expect(free).toBeLessThanOrEqual(40);
      }),
    );
  });

  it("lasts exactly three minutes on a steady clock", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, (byMs) => {
        let [nowMs, paidAtMs, free] = [BEGAN_MS, Number.NEGATIVE_INFINITY, 0];
        let session: SessionProgress | undefined;
        for (const ms of byMs) {
          nowMs += ms;
          const open = openSession(session, nowMs);
          session = afterCall(open, nowMs);
          expect(open !== undefined).toBe(nowMs - paidAtMs <= 3 * MINUTE_MS && free < 40);
          if (open === undefined) [paidAtMs, free] = [nowMs, 0];
          else free += 1;
        }
      }),
    );
  });

  it.each([
    ["a".repeat(16), true],
    ["A-z_09".repeat(10), true],
    ["3f0c1f6e-6f0f-4a4e-9a50-0b7d1c1f9a57", true],
    ["a".repeat(64), true],
    ["a".repeat(15), false],
    ["a".repeat(65), false],
    [`${"a".repeat(16)}\n`, false],
    [`${"a".repeat(16)} `, false],
    [`${"a".repeat(16)}é`, false],
    ["", false],
  ])("is named %j: %s", (text, isOne) => {
    expect(new RegExp(TYPING_SESSION.pattern, "u").test(text)).toBe(isOne);
  });

  it("is stored under a hash of its name, which reveals nothing", () => {
    expect(sessionHash("0123456789abcdef")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(sessionHash("0123456789abcdef")).not.toBe(sessionHash("0123456789abcdeg"));
  });
});
