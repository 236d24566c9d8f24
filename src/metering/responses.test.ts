import { expect, it } from "vitest";
import {
  BatchResponses,
  type IdempotencyEntry,
  KEPT_BOUNDS,
  type KeptTotals,
  packAnswer,
  type ResponseRows,
  unpackAnswer,
} from "./responses.ts";

const NOW = Date.parse("2026-03-15T12:00:00.000Z");

function batchWith(totals: KeptTotals, keptBytesOfAll = 0): BatchResponses {
  const rows: ResponseRows = {
    nowMs: NOW,
    kept: () => undefined,
    keptTotals: () => totals,
    keptBytesOfAll,
  };
  return new BatchResponses(rows, { made: [], settled: new Set() });
}

const keep = (id: string): IdempotencyEntry => ({
  id,
  requestHash: "one",
  answer: { status: 200, text: "={}", names: [], lifetimeMs: 1_000 },
});

it("refuses what an account can keep no more, counting what the batch itself keeps", () => {
  const batch = batchWith({ answers: KEPT_BOUNDS.answers - 1, bytes: 0 });
  expect(batch.hit("acc", keep("a"), false)).toBeUndefined();
  batch.add("acc", keep("a"));
  expect(batch.hit("acc", keep("b"), false)).toEqual({ outcome: "full", isOfAll: false });
  expect(batch.hit("acc", { id: "b", requestHash: "one" }, true)).toEqual({
    outcome: "full",
    isOfAll: false,
  });
  expect(batch.hit("acc", { id: "b", requestHash: "one" }, false)).toBeUndefined();
  expect(batch.hit("acc", keep("a"), false)).toMatchObject({ outcome: "repeated" });
  expect(batchWith({ answers: 0, bytes: KEPT_BOUNDS.bytes }).hit("acc", keep("b"), false)).toEqual({
    outcome: "full",
    isOfAll: false,
  });
});

it("refuses what all accounts together can keep no more", () => {
  const batch = batchWith({ answers: 0, bytes: 0 }, KEPT_BOUNDS.bytesOfAll);
  expect(batch.hit("acc", keep("a"), false)).toEqual({ outcome: "full", isOfAll: true });
});

it("packs a text that is long, and gives back what it was given", async () => {
  const long = JSON.stringify({ results: Array.from({ length: 400 }, (_, index) => `naam ${index} é`) });
  const packed = await packAnswer(long);
  expect(packed.length).toBeLessThan(long.length / 2);
  expect(await unpackAnswer(packed)).toBe(long);
  expect(await unpackAnswer(await packAnswer("~{}"))).toBe("~{}");
});
