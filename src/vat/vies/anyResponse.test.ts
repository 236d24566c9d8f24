import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readViesResponse } from "./readResponse.ts";
import type { ViesResult } from "./results.ts";

const NUMBER = { countryCode: "CZ", national: "25123891", vatNumber: "CZ25123891" } as const;

function read(body: unknown, status: number): ViesResult {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readViesResponse(status, text, NUMBER, "2026-11-11T11:11:11.111Z");
}

describe("any response", () => {
  const statuses = fc.oneof(
    fc.constantFrom(200, 201, 302, 400, 404, 500, 503),
    fc.integer({ min: 100, max: 599 }),
  );
  const scraps = fc.constantFrom(
    "valid",
    "isValid",
    "userError",
    "errorWrappers",
    "error",
    "__proto__",
    "false",
  );
  const values = fc.oneof(
    { weight: 2, arbitrary: fc.boolean() },
    fc.constantFrom(null, "", "VALID", "INVALID", "MS_UNAVAILABLE", "---", 0, "false"),
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(fc.oneof(fc.constant(null), fc.record({ error: fc.string() }))),
  );
  const names = [
    "valid",
    "isValid",
    "userError",
    "errorWrappers",
    "actionSucceed",
    "requestDate",
    "name",
    "address",
  ];
  const bodies = fc.record(Object.fromEntries(names.map((name) => [name, values])), { requiredKeys: [] });

  /**
   * The conditions of an invalid verdict, stated independently: a boolean, success, and nothing that could be an error.
   */
  function plainlyRefuses(status: number, body: unknown): boolean {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
    const fields = body as Record<string, unknown>;
    const { valid, isValid = null, actionSucceed, errorWrappers = null, userError = null } = fields;
    const hasNoError = actionSucceed !== false && errorWrappers === null;
    return (
      valid === false &&
      status >= 200 &&
      status < 300 &&
      hasNoError &&
      [null, false].includes(isValid as null) &&
      [null, "INVALID"].includes(userError as null)
    );
  }

  it("as text never throws and is never an invalid verdict", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), scraps), statuses, (text, status) => {
        const answer = read(text, status);
        expect("valid" in answer ? answer.valid : undefined).not.toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("as JSON is an invalid verdict exactly if the body says so with success and without an error", () => {
    fc.assert(
      fc.property(bodies, statuses, (body, status) => {
        const word = read(body, status);
        const isRefusal = word.kind === "answer" && !word.valid;
        expect(isRefusal).toBe(plainlyRefuses(status, JSON.parse(JSON.stringify(body))));
      }),
      { numRuns: 1_000 },
    );
  });
});
