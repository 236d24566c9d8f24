import { expect, it } from "vitest";
import {
  BatchResponses,
  type IdempotencyEntry,
  packResponse,
  type ResponseRows,
  STORED_RESPONSE_LIMITS,
  type StoredResponseTotals,
  unpackResponse,
} from "./responses.ts";

const NOW = Date.parse("2026-03-15T12:00:00.000Z");

function batchWith(totals: StoredResponseTotals, totalResponseBytes = 0): BatchResponses {
  const rows: ResponseRows = {
    nowMs: NOW,
    entry: () => undefined,
    responseTotals: () => totals,
    totalResponseBytes,
  };
  return new BatchResponses(rows, { reserved: [], settled: new Set() });
}

const entry = (id: string): IdempotencyEntry => ({
  id,
  requestHash: "one",
  response: { status: 200, text: "={}", numbers: [], lifetimeMs: 1_000 },
});

it("refuses a response beyond the limit of an account, counting those of the batch", () => {
  const batch = batchWith({ responses: STORED_RESPONSE_LIMITS.responses - 1, bytes: 0 });
  expect(batch.findHit("acc", entry("a"), false)).toBeUndefined();
  batch.add("acc", entry("a"));
  expect(batch.findHit("acc", entry("b"), false)).toEqual({ outcome: "full", isServiceFull: false });
  expect(batch.findHit("acc", { id: "b", requestHash: "one" }, true)).toEqual({
    outcome: "full",
    isServiceFull: false,
  });
  expect(batch.findHit("acc", { id: "b", requestHash: "one" }, false)).toBeUndefined();
  expect(batch.findHit("acc", entry("a"), false)).toMatchObject({ outcome: "repeated" });
  expect(
    batchWith({ responses: 0, bytes: STORED_RESPONSE_LIMITS.bytes }).findHit("acc", entry("b"), false),
  ).toEqual({
    outcome: "full",
    isServiceFull: false,
  });
});

it("refuses a response beyond the limit of all accounts together", () => {
  const batch = batchWith({ responses: 0, bytes: 0 }, STORED_RESPONSE_LIMITS.totalBytes);
  expect(batch.findHit("acc", entry("a"), false)).toEqual({ outcome: "full", isServiceFull: true });
});

it("compresses a long text and returns the original", async () => {
  const long = JSON.stringify({ results: Array.from({ length: 400 }, (_, index) => `naam ${index} é`) });
  const packed = await packResponse(long);
  expect(packed.length).toBeLessThan(long.length / 2);
  expect(await unpackResponse(packed)).toBe(long);
  expect(await unpackResponse(await packResponse("~{}"))).toBe("~{}");
});
