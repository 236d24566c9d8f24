import { expect } from "vitest";
import type { ErrorCode } from "../../src/contract/errors.ts";
import { type Answer, numberIn } from "../kit/answer.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";

/** Checks the error that a test number simulates: free, with the headers of a real one. */
export function expectSimulated(answer: Answer, code: ErrorCode): void {
  expectError(answer, code);
  expectBalance(answer);
  expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  if (code === "RATE_LIMIT_EXCEEDED") {
    expect(numberIn(answer, "x-ratelimit-remaining")).toBe(0);
    expect(numberIn(answer, "retry-after")).toBeLessThanOrEqual(60);
  }
  if (code === "QUOTA_EXCEEDED") {
    expect(numberIn(answer, "x-tokens-remaining")).toBe(0);
    expect(numberIn(answer, "retry-after")).toBeLessThanOrEqual(86_400);
  }
  if (code === "SERVICE_UNAVAILABLE") expect(answer.headers["retry-after"]).toBe("1");
}
