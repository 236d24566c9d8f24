import { describe, expect, it } from "vitest";
import { SearchShare } from "./searchShare.ts";

function shareAt(options: { perMinute: number; perSecond: number }) {
  const clock = { nowMs: 0 };
  const share = new SearchShare({ ...options, elapsed: () => clock.nowMs });
  const taken = (accountId: string, times: number) =>
    Array.from({ length: times }, () => share.take(accountId)).filter((one) => one).length;
  return { clock, taken };
}

describe("SearchShare", () => {
  it("limits the searches per minute of each account separately", () => {
    const { clock, taken } = shareAt({ perMinute: 6, perSecond: 1_000 });
    expect(taken("one", 10)).toBe(6);
    expect(taken("other", 10)).toBe(6);
    clock.nowMs = 20_000;
    expect(taken("one", 10)).toBe(2);
    clock.nowMs = 10 * 60_000;
    expect(taken("one", 10)).toBe(6);
  });

  it("limits the searches per second of all accounts together", () => {
    const { clock, taken } = shareAt({ perMinute: 1_000, perSecond: 3 });
    expect([taken("one", 2), taken("other", 2), taken("third", 2)]).toEqual([2, 1, 0]);
    clock.nowMs = 1_000;
    expect(taken("third", 5)).toBe(3);
  });

  it("permits no searches with a limit of zero", () => {
    expect(shareAt({ perMinute: 0, perSecond: 3 }).taken("one", 3)).toBe(0);
  });
});
