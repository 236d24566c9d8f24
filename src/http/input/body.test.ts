import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../contract/errors.ts";
import { makeKey } from "../../contract/keyForm.ts";
import { bodyReader } from "./read.ts";

const SCHEMA = Type.Object({
  kvkNumbers: Type.Array(Type.String(), { minItems: 1, maxItems: 3 }),
  enrich: Type.Optional(Type.Boolean()),
});
const JSON_TYPE = "application/json";

function read(body: unknown, contentType: string | undefined = JSON_TYPE): unknown {
  try {
    return bodyReader(SCHEMA)(contentType, body);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const bytes = (text: string) => Buffer.from(text, "utf8");

describe("a JSON body", () => {
  it("is read by its schema", () => {
    expect(read(bytes('{"kvkNumbers":["1","2"],"enrich":true}'))).toEqual({
      kvkNumbers: ["1", "2"],
      enrich: true,
    });
    expect(read(bytes('{"kvkNumbers":["1"]}'), "Application/JSON; charset=utf-8")).toEqual({
      kvkNumbers: ["1"],
    });
  });

  it.each([undefined, "text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""])(
    "is refused as %s",
    (contentType) => {
      const result = contentType === undefined ? readUntyped() : read(bytes("{}"), contentType);
      expect(result).toMatch(/^UNSUPPORTED_MEDIA_TYPE: .*application\/json/);
    },
  );

  it.each([
    ["", "the body must be JSON; none was received"],
    ["{", "cannot be parsed"],
    ["[]", "the body must be a JSON object; received an array"],
    ["null", "received null"],
    ["7", "received a number"],
    ["{}", "kvkNumbers is required: an array of 1 to 3 strings"],
    ['{"kvkNumbers":[]}', "kvkNumbers must be an array of 1 to 3 strings; received an array of 0"],
    ['{"kvkNumbers":["1","2","3","4"]}', "received an array of 4"],
    ['{"kvkNumbers":"1"}', 'kvkNumbers must be an array of 1 to 3 strings; received the text "1"'],
    ['{"kvkNumbers":{"length":2}}', "received an object"],
    ['{"kvkNumbers":["1",2]}', "kvkNumbers[1] must be a string; received the number 2"],
    ['{"kvkNumbers":["1",null]}', "kvkNumbers[1] must be a string; received null"],
    ['{"kvkNumbers":[50003464]}', "kvkNumbers[0] must be a string; received the number 50003464"],
    ['{"kvkNumbers":[1e400]}', "kvkNumbers[0] must be a string; received the number Infinity"],
    ['{"kvkNumbers":[true]}', "kvkNumbers[0] must be a string; received true"],
    ['{"kvkNumbers":["1"],"enrich":1}', "enrich must be true or false; received the number 1"],
    ['"enrich"', "received a string"],
    ['{"kvkNumbers":["1"],"enrich":"true"}', 'enrich must be true or false; received the text "true"'],
    ['{"kvkNumbers":["1"],"enrich":null}', "enrich must be true or false; received null"],
    ['{"kvkNumbers":["1"],"x":1}', 'unknown field "x" in the body; known: kvkNumbers, enrich'],
    ['{"kvkNumbers":["1"],"__proto__":{"enrich":true}}', 'unknown field "__proto__" in the body'],
    ['{"kvkNumbers":["1"],"constructor":1}', 'unknown field "constructor" in the body'],
  ])("is refused for %s", (text, rule) => {
    const result = read(bytes(text));
    expect(result).toContain("INVALID_REQUEST: ");
    expect(result).toContain(rule);
  });

  it("is refused if it is not UTF-8, at any depth", () => {
    expect(read(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toContain("valid JSON in UTF-8");
    expect(read(bytes("[".repeat(30_000) + "]".repeat(30_000)))).toContain("INVALID_REQUEST");
    expect(read(bytes(`{"kvkNumbers":[${"[".repeat(15_000)}${"]".repeat(15_000)}]}`))).toContain(
      "an array of 1",
    );
    for (const body of [undefined, null, "text", {}]) expect(read(body)).toContain("none was received");
  });

  it("fails only with an error of the contract, which never contains a key", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.string({ maxLength: 20 }), (json, name) => {
        const key = makeKey("test", randomBytes);
        const texts = [
          json,
          JSON.stringify({ [name + key]: JSON.parse(json) }),
          JSON.stringify({ kvkNumbers: JSON.parse(json) }),
          JSON.stringify({ kvkNumbers: ["1"], enrich: `${name}${key}` }),
        ];
        for (const text of texts) {
          const result = read(bytes(text));
          expect(JSON.stringify(result)).not.toContain(key);
        }
      }),
    );
  });
});

function readUntyped(): unknown {
  try {
    return bodyReader(SCHEMA)(undefined, bytes("{}"));
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.message}` : error;
  }
}

describe("a scalar field", () => {
  const schema = Type.Object({
    hours: Type.Optional(Type.Unsafe<number>({ type: "integer", enum: [0, 1, 24] })),
    count: Type.Optional(Type.Integer()),
    word: Type.Optional(Type.Unsafe<string>({ type: "string", enum: ["a", "b"] })),
    short: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
    secret: Type.Optional(
      Type.String({ maxLength: 5, "x-secret": true, "x-rule": "text of at most 5 characters" }),
    ),
  });
  const read = (value: object) => bodyReader(schema)("application/json", Buffer.from(JSON.stringify(value)));

  it.each([{ hours: 24 }, { count: -3 }, { word: "b" }, { short: "abc" }, { secret: "" }])(
    "%j is accepted",
    (value) => {
      expect(read(value)).toEqual(value);
    },
  );

  it.each([
    [{ hours: 2 }, "hours must be one of 0, 1, 24"],
    [{ hours: "1" }, "hours must be one of 0, 1, 24"],
    [{ count: 1.5 }, "count must be a whole number"],
    [{ word: "c" }, "word must be one of a, b"],
    [{ short: "" }, "short must be a string"],
    [{ short: "abcd" }, "short must be a string"],
  ])("%j is refused with its rule", (value, rule) => {
    expect(() => read(value)).toThrow(rule);
  });

  it("that is secret is never repeated", () => {
    expect(() => read({ secret: "hunter2" })).toThrow(/^secret must be text of at most 5 characters$/);
  });
});
