import { describe, expect, it } from "vitest";
import type { ViesSlot } from "../stored.ts";
import { NOT_ASKED, resultOfCode, TIMED_OUT } from "./codes.ts";
import { HISTORY_MS, SLOT_MS, ViesHistory } from "./history.ts";
import type { ViesResult } from "./results.ts";

const NOON = Date.parse("2026-05-05T12:00:00.000Z");
const YES: ViesResult = { kind: "answer", valid: true, validatedAt: "2026-05-05T12:00:00.000Z" };
const NO: ViesResult = { ...YES, valid: false };
const CUT: ViesResult = {
  kind: "no-answer",
  reason: "CUT_SHORT",
  scope: "call",
  isFromUpstream: false,
  isTransient: false,
};

function made() {
  const written: ViesSlot[][] = [];
  const state = { nowMs: NOON, isUnreachable: false, reads: 0 };
  const errors: unknown[] = [];
  const history = new ViesHistory({
    store: {
      addViesSlots: async (slots) => {
        if (state.isUnreachable) throw new Error("away");
        written.push([...slots]);
      },
      viesSlots: async (sinceMs) => {
        state.reads += 1;
        if (state.isUnreachable) throw new Error("away");
        return written.flat().filter(({ slotAtMs }) => slotAtMs >= sinceMs);
      },
    },
    now: () => state.nowMs,
    onError: (error) => errors.push(error),
  });
  return { history, written, state, errors };
}

describe("the history of VIES", () => {
  it("counts calls by state and half hour, an invalid verdict as a response, and no calls that did not reach VIES", async () => {
    const { history, written, state } = made();
    for (const result of [YES, NO, TIMED_OUT, NOT_ASKED, CUT]) history.observe("NL", result);
    history.observe("DE", TIMED_OUT);
    state.nowMs = NOON + SLOT_MS;
    history.observe("NL", resultOfCode("INVALID_REQUESTER_INFO"));
    await history.close();
    expect(written).toEqual([
      [
        { state: "NL", slotAtMs: NOON, answered: 2, unanswered: 1 },
        { state: "DE", slotAtMs: NOON, answered: 0, unanswered: 1 },
        { state: "NL", slotAtMs: NOON + SLOT_MS, answered: 1, unanswered: 0 },
      ],
    ]);
  });

  it("is kept in memory within a limit while the store is down, and stored when it recovers", async () => {
    const { history, written, state, errors } = made();
    state.isUnreachable = true;
    for (let hour = 0; hour < 200; hour++) {
      state.nowMs = NOON + hour * SLOT_MS;
      history.observe("NL", YES);
      await history.write();
    }
    expect(errors).toHaveLength(200);
    state.isUnreachable = false;
    await history.close();
    expect(written).toHaveLength(1);
    expect(written[0]).toHaveLength(112);
    expect(written[0]?.at(-1)).toMatchObject({ slotAtMs: NOON + 199 * SLOT_MS });
  });

  it("is read once for concurrent callers, and again after a failure", async () => {
    const { history, state } = made();
    history.observe("FR", YES);
    await history.write();
    expect(await Promise.all([history.lastDay(), history.lastDay()])).toEqual([
      [{ state: "FR", slotAtMs: NOON, answered: 1, unanswered: 0 }],
      [{ state: "FR", slotAtMs: NOON, answered: 1, unanswered: 0 }],
    ]);
    expect(state.reads).toBe(1);
    state.nowMs += HISTORY_MS;
    state.isUnreachable = true;
    await expect(history.lastDay()).rejects.toThrow("away");
    state.isUnreachable = false;
    expect(await history.lastDay()).toHaveLength(1);
    await history.close();
  });
});
