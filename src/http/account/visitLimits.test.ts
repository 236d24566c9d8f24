import { expect, it } from "vitest";
import { SESSION_LIMITS, SessionLimits } from "./visitLimits.ts";

const NOON = Date.UTC(2026, 2, 15, 12, 0, 10);

it("limits the requests of a session and the hashes of its account per minute, with the time to wait", () => {
  const clock = { nowMs: NOON };
  const limits = new SessionLimits(() => clock.nowMs);
  const refused = (count: number, isHashing: boolean, id = "ses_1", accountId = "acc_1") =>
    Array.from({ length: count }, () => limits.refuse({ id, accountId }, isHashing)).filter(
      (one) => one !== undefined,
    );
  expect(refused(SESSION_LIMITS.hashing, true)).toEqual([]);
  // Another session of the same account, as after a change of password.
  expect(refused(3, true, "ses_2")).toHaveLength(3);
  expect(refused(3, true, "ses_3", "acc_2")).toEqual([]);
  const left = SESSION_LIMITS.requests - SESSION_LIMITS.hashing;
  expect(refused(left, false)).toEqual([]);
  const [refusal] = refused(1, false);
  expect(refusal).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfterSeconds: 50 });
  clock.nowMs += 50_000;
  expect(refused(SESSION_LIMITS.hashing, true)).toEqual([]);
});

it("remembers a session by its cookie until it ends", () => {
  const limits = new SessionLimits(() => NOON);
  expect(limits.known("cookie")).toBeUndefined();
  limits.know("cookie", { id: "ses_1", accountId: "acc_1" });
  expect(limits.known("cookie")).toEqual({ id: "ses_1", accountId: "acc_1" });
  expect(limits.known("another")).toBeUndefined();
  limits.forget("cookie");
  expect(limits.known("cookie")).toBeUndefined();
});
