import { describe, expect, it } from "vitest";
import { inOneGo } from "../lib/steps.ts";
import { listId } from "./listIds.ts";

const MANY = Array.from({ length: 5_000 }, (_, index) => String(70_000_000 + index));

describe("the id of a list under an Idempotency-Key", () => {
  it.each([
    [["lookup", undefined, undefined, 3], ["50000001", '\u0002"x', "é"], "job_t9wqBurlGIsVlySXPlHNkQ"],
    [["vat", 100, "https://x.example/", 5000], MANY, "job_t9wqBurlGIsP21YUMxy7Hx"],
    [["lookup", 7, undefined, 0], [], "job_t9wqBurlGIsgi4znlhE9q5"],
  ])(
    "never changes, so that a list that is sent again after an upgrade is recognised: %j",
    (terms, numbers, id) => {
      expect(inOneGo(listId("call:abc", terms, numbers))).toEqual({ id, idPrefix: "job_t9wqBurlGIs" });
    },
  );

  it("is computed in steps that yield to other work", () => {
    const steps = [...listId("call:abc", [], MANY)];
    expect(steps.length).toBe(10);
  });

  it("differs each time without a key", () => {
    expect(inOneGo(listId(undefined, [], MANY))).not.toEqual(inOneGo(listId(undefined, [], MANY)));
  });
});
