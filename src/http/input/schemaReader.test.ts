import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../contract/errors.ts";
import { makeKey } from "../../contract/keyForm.ts";
import { JSON_VALUES, schemaReader, TEXT } from "./schemaReader.ts";

const SCHEMA = Type.Object({
  q: Type.String({ minLength: 2, maxLength: 10 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 8 })),
  enrich: Type.Optional(Type.Boolean({ default: false })),
  form: Type.Optional(Type.String({ enum: ["BV", "NV"] })),
  kvkNumber: Type.Optional(
    Type.String({ pattern: "^[0-9]{8}$", "x-rule": "exactly 8 digits", "x-error": "INVALID_KVK_NUMBER" }),
  ),
  vatNumber: Type.Optional(Type.String({ pattern: "^[A-Z]{2}", "x-rule": "a VAT number", "x-secret": true })),
});

const readFields = schemaReader(SCHEMA, TEXT);

function read(texts: Record<string, string>): Record<string, unknown> | ApiError {
  try {
    return readFields(texts);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function refusal(texts: Record<string, string>): string {
  const result = read({ q: "ab", ...texts });
  return result instanceof ApiError ? `${result.code}: ${result.message}` : "accepted";
}

describe("parameters", () => {
  it("are read by their type, with defaults for missing ones", () => {
    expect(read({ q: "ab" })).toEqual({ q: "ab", limit: 8, enrich: false });
    expect(read({ q: "de bakker", limit: "20", enrich: "true", form: "NV", kvkNumber: "00000001" })).toEqual({
      q: "de bakker",
      limit: 20,
      enrich: true,
      form: "NV",
      kvkNumber: "00000001",
    });
  });

  it("are refused with their name, the rule and the received value", () => {
    expect(refusal({ limit: "0" })).toBe(
      'INVALID_REQUEST: limit must be a whole number from 1 to 20; received "0"',
    );
    expect(refusal({ enrich: "yes" })).toBe(
      'INVALID_REQUEST: enrich must be true, false, 1 or 0; received "yes"',
    );
    expect(refusal({ form: "bv" })).toBe('INVALID_REQUEST: form must be one of BV, NV; received "bv"');
    expect(refusal({ kvkNumber: "123456789" })).toBe(
      'INVALID_KVK_NUMBER: kvkNumber must be exactly 8 digits; received "123456789"',
    );
    expect(refusal({ q: " a " })).toBe(
      'INVALID_REQUEST: q must be text of 2 to 10 characters, no control characters; received " a "',
    );
    expect(read({})).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("q is required"),
    });
  });

  it.each([
    ["true", true],
    ["True", true],
    ["TRUE", true],
    ["1", true],
    ["false", false],
    ["False", false],
    ["0", false],
  ])("accept the boolean %s in any case", (enrich, value) => {
    expect(read({ q: "ab", enrich })).toMatchObject({ enrich: value });
  });

  it.each(["do not accept %j as a boolean", "yes", "2", "01", "truE ", "t"])(
    "take no boolean from %j",
    (enrich) => {
      expect(refusal({ enrich })).toContain("enrich must be true, false, 1 or 0");
    },
  );

  it("are refused with a hint for common mistakes", () => {
    const hint = { pattern: "^[0-9]{7}$", hint: "a zero may have been lost" };
    const reads = schemaReader(
      Type.Object({ number: Type.String({ pattern: "^[0-9]{8}$", "x-hint": hint }) }),
      TEXT,
    );
    expect(() => reads({ number: "1234567" })).toThrow(/"1234567"; a zero may have been lost$/);
    expect(() => reads({ number: "123456" })).toThrow(/received "123456"$/);
  });

  it("never repeat a value that may contain a citizen number", () => {
    expect(refusal({ vatNumber: "123456782B01" })).toBe("INVALID_REQUEST: vatNumber must be a VAT number");
  });

  it.each(["", " 1", "1 ", "+1", "-1", "1.0", "1e1", "0x1", "21", "٣", "9".repeat(400), "NaN"])(
    "do not accept %j as a whole number",
    (limit) => {
      expect(refusal({ limit })).toContain("limit must be a whole number from 1 to 20");
    },
  );

  it("count characters rather than bytes or surrogates, without surrounding spaces", () => {
    expect(refusal({ q: "😀".repeat(10) })).toBe("accepted");
    expect(refusal({ q: "😀".repeat(11) })).toContain("q must be");
    expect(refusal({ q: "😀" })).toContain("q must be");
    expect(refusal({ q: "  0123456789  " })).toBe("accepted");
  });

  it("contain no control characters", () => {
    for (const bad of ["a\u0000b", "a\nb", "a\u007fb"]) expect(refusal({ q: bad })).toContain("q must be");
  });

  it("fail only with an error of the contract, which quotes at most 40 characters and never a key", () => {
    const names = fc.constantFrom("q", "limit", "enrich", "form", "kvkNumber", "vatNumber");
    fc.assert(
      fc.property(names, fc.string({ unit: "binary", maxLength: 90 }), fc.boolean(), (name, text, hasKey) => {
        const key = makeKey("pub", randomBytes);
        const sent = hasKey ? `${text}${key}` : text;
        const result = read({ q: "ab", [name]: sent });
        if (!(result instanceof ApiError)) return;
        expect(result.message).not.toContain(key);
        const message = result.message.replace(/; remove control characters.*$/, "");
        const [rule = ""] = message.split("; received ");
        expect([...message.slice(rule.length)].length).toBeLessThanOrEqual("; received ".length + 43);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a rule", () => {
  const rules = Type.Object({
    code: Type.Optional(Type.String({ pattern: "^[0-9]{4}$", minLength: 2, maxLength: 6 })),
    count: Type.Optional(Type.Integer({ minimum: 2, maximum: 5 })),
    size: Type.Optional(Type.Unsafe<string>({ type: "string", enum: ["S", "M"] })),
  });
  const readers = [TEXT, JSON_VALUES].map((notation) => schemaReader(rules, notation));
  /** The same value, as text in a query and as a value in a body. */
  const isTaken = (name: string, value: string | number) =>
    readers.map((reads, index) => {
      const sent = index === 0 ? String(value) : value;
      try {
        return reads({ [name]: sent })[name] === value;
      } catch {
        return false;
      }
    });

  it.each<[boolean, string, string | number]>([
    [true, "code", "1234"],
    [false, "code", "123a"],
    [false, "code", "1"],
    [false, "code", "1234567"],
    [true, "count", 2],
    [true, "count", 5],
    [false, "count", 1],
    [false, "count", 6],
    [true, "size", "S"],
    [false, "size", "L"],
  ])("holds in texts and in JSON alike: %s for %s=%j", (isGood, name, value) => {
    expect(isTaken(name, value)).toEqual([isGood, isGood]);
  });

  it("is described with its limits", () => {
    expect(() => readers[1]?.({ count: 9 })).toThrow(
      "count must be a whole number from 2 to 5; received the number 9",
    );
  });
});

describe("a field that may be null", () => {
  const readBody = schemaReader(
    Type.Object({
      maxTokens: Type.Optional(Type.Unsafe({ type: ["integer", "null"], minimum: 1, maximum: 9 })),
      events: Type.Optional(
        Type.Unsafe({ type: ["array", "null"], minItems: 1, items: { type: "string", enum: ["a", "b"] } }),
      ),
      name: Type.Optional(Type.String()),
    }),
    JSON_VALUES,
  );

  it("is null, or has a value of its type", () => {
    expect(readBody({ maxTokens: null, events: null })).toEqual({ maxTokens: null, events: null });
    expect(readBody({ maxTokens: 9, events: ["b"] })).toEqual({ maxTokens: 9, events: ["b"] });
    expect(readBody({})).toEqual({});
  });

  it.each([
    [{ maxTokens: 10 }, "maxTokens must be a whole number from 1 to 9, or null; received the number 10"],
    [{ maxTokens: "1" }, 'maxTokens must be a whole number from 1 to 9, or null; received the text "1"'],
    [
      { events: [] },
      "events must be an array of 1 to any number of strings, or null; received an array of 0",
    ],
    [{ events: [null] }, "events[0] must be one of a, b; received null"],
    [{ name: null }, "name must be a string; received null"],
  ])("refuses %j", (body, message) => {
    expect(() => readBody(body)).toThrow(message);
  });
});
