import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { isStateCode } from "../numbers/states.ts";
import { NO_ANSWERS } from "./codes.ts";
import { readViesResponse } from "./readResponse.ts";
import type { ViesResult } from "./results.ts";

const RECEIVED_AT = "2026-11-11T11:11:11.111Z";
const RECORDED = sharedPath("data/vat/recorded");

const NUMBER = { countryCode: "CZ", national: "25123891", vatNumber: "CZ25123891" } as const;

function read(body: unknown, status = 200): ViesResult {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readViesResponse(status, text, NUMBER, RECEIVED_AT);
}

/** A fictional response with every field of VIES. */
const ANSWERED = {
  countryCode: "CZ",
  vatNumber: "25123891",
  requestDate: "2026-10-03T21:02:05.698Z",
  valid: true,
  requestIdentifier: "",
  name: "Made up s. r. o.",
  address: "Dlouhá 1/2\nPRAHA 4 - MOCK\n140 00  PRAHA 4",
};

const wrapped = (...errorWrappers: unknown[]) => ({ actionSucceed: false, errorWrappers });

describeWith(shared(RECORDED), "a recorded response of VIES", () => {
  const recorded = (folder: string) =>
    readdirSync(`${RECORDED}/${folder}`).map((name) => {
      const text = readFileSync(`${RECORDED}/${folder}/${name}`, "utf8");
      const { countryCode = "NL", vatNumber = "" } = JSON.parse(text) as {
        countryCode?: string;
        vatNumber?: string;
      };
      if (!isStateCode(countryCode)) throw new Error(`${name} has no state's code`);
      const number = { countryCode, national: vatNumber, vatNumber: countryCode + vatNumber };
      return [name, text, number] as const;
    });

  it.each(recorded("rest_post"))("has VIES's verdict and time: %s", (_, text, number) => {
    const body = JSON.parse(text) as { valid: boolean; requestDate: string; requestIdentifier: string };
    const value = readViesResponse(200, text, number, RECEIVED_AT);
    expect(value).toMatchObject({ kind: "answer", valid: body.valid, validatedAt: body.requestDate });
    if (value.kind !== "answer") return;
    expect(value.consultationNumber ?? "").toBe(body.requestIdentifier);
    for (const line of [value.name, value.address]) expect(line ?? "").not.toMatch(/---|\n|^ | $| {2}/);
    const isWithheld = ["DE", "ES"].includes(number.countryCode);
    expect(value.name === undefined).toBe(isWithheld || !body.valid);
  });

  it.each(recorded("errors"))("is an error with its code: %s", (name, text, number) => {
    const status = Number(/http([0-9]{3})/.exec(name)?.[1] ?? 200);
    const [, code = ""] = /"error": "([^"]+)"/.exec(text) ?? [];
    const value = readViesResponse(status, text, number, RECEIVED_AT);
    const kind = NO_ANSWERS.get(code) === "requester" ? "requester-refused" : "no-answer";
    expect(value).toMatchObject({ kind, reason: code });
  });

  it.each(recorded("rest_get"))(
    "of the web page's endpoint is an error, never an invalid verdict: %s",
    (name, text) => {
      const value = readViesResponse(200, text, NUMBER, RECEIVED_AT);
      expect(value.kind).toBe("no-answer");
      if (name.includes("ip-blocked"))
        expect(value).toMatchObject({ reason: "IP_BLOCKED", scope: "address" });
      if (name.includes("ms-max"))
        expect(value).toMatchObject({ reason: "MS_MAX_CONCURRENT_REQ", scope: "state" });
    },
  );
});

describe("a response", () => {
  it("has VIES's time, name and address, each on one line", () => {
    expect(read(ANSWERED)).toEqual({
      kind: "answer",
      valid: true,
      validatedAt: "2026-10-03T21:02:05.698Z",
      name: "Made up s. r. o.",
      address: "Dlouhá 1/2, PRAHA 4 - MOCK, 140 00 PRAHA 4",
    });
  });

  it("may have a byte order mark, any success status and unknown fields", () => {
    const { kind } = read(`\ufeff${JSON.stringify({ ...ANSWERED, later: [{}], traderName: 7 })}`, 203);
    expect(kind).toBe("answer");
    expect(read({ ...ANSWERED, actionSucceed: true, errorWrappers: null, userError: null }).kind).toBe(
      "answer",
    );
  });

  it.each([
    [{ name: "---", address: "---", requestIdentifier: "---" }],
    [{ name: "", address: "", requestIdentifier: "" }],
    [{ name: null, address: null, requestIdentifier: null }],
    [{ name: 5, address: ["x"], requestIdentifier: { a: 1 } }],
    [{ name: " \n", address: "\n---\n", requestIdentifier: " " }],
  ])("has no name, address or consultation number if VIES provides none: %j", (withheld) => {
    const value = { kind: "answer", valid: true, validatedAt: ANSWERED.requestDate };
    expect(read({ ...ANSWERED, ...withheld })).toEqual(value);
  });

  it.each([undefined, null, "", "yesterday", 1_790_000_000_000, "2026-10-03+02:00", "2026-13-45T00:00:00Z"])(
    "uses the time of receipt if VIES provides none: %j",
    (requestDate) => {
      expect(read({ ...ANSWERED, requestDate })).toMatchObject({ validatedAt: RECEIVED_AT });
    },
  );

  it.each([
    ["0001-01-01T00:00:00Z", false],
    ["1970-01-01T00:00:00.000Z", false],
    ["1992-12-31T23:59:59.999Z", false],
    ["1993-01-01T00:00:00.000Z", true],
    ["2026-11-11T23:11:11.111Z", true],
    ["2026-11-13T00:00:00.000Z", false],
    ["9999-12-31T23:59:59.000Z", false],
  ])("uses the time of receipt instead of an implausible time: %s", (requestDate, isPossible) => {
    expect(read({ ...ANSWERED, requestDate })).toMatchObject({
      validatedAt: isPossible ? requestDate : RECEIVED_AT,
    });
  });

  it("accepts a time with a zone, and no time that depends on the local zone", () => {
    const at = (requestDate: string) => read({ ...ANSWERED, requestDate });
    expect(at("2026-10-03T23:02:05+02:00")).toMatchObject({ validatedAt: "2026-10-03T21:02:05.000Z" });
    expect(at("2026-10-03T23:02:05")).toMatchObject({ validatedAt: RECEIVED_AT });
  });
});

describe("a response is rejected", () => {
  it.each([
    { valid: false, isValid: true },
    { valid: true, isValid: false },
    { valid: true, isValid: "true" },
    { valid: true, isValid: 1 },
    { valid: true, userError: "INVALID" },
    { valid: false, userError: "VALID" },
    { isValid: true },
  ])("if it contradicts itself, or has only the fields of the web page: %j", (said) => {
    const { valid: _, ...rest } = ANSWERED;
    expect(read({ ...rest, ...said })).toMatchObject({ kind: "no-answer", reason: "UNREADABLE" });
  });

  it.each([true, false])("but not if the web page's fields agree: %s", (valid) => {
    const said = { ...ANSWERED, valid, isValid: valid, userError: valid ? "VALID" : "INVALID" };
    expect(read(said)).toMatchObject({ kind: "answer", valid });
  });

  const UNREADABLE = { kind: "no-answer", reason: "UNREADABLE", scope: "vies", isFromUpstream: false };

  it.each([
    ["nothing", ""],
    ["HTML", "<!DOCTYPE html><html><body>Service unavailable</body></html>"],
    ["half of an answer", JSON.stringify({ ...ANSWERED, valid: false }).slice(0, 60)],
    ["a list", "[]"],
    ["a list with an answer", JSON.stringify([{ ...ANSWERED, valid: false }])],
    ["a number", "5"],
    ["false", "false"],
    ["null", "null"],
    ["text", '"INVALID"'],
    ["an empty object", "{}"],
    ["__proto__ instead of the answer", '{"__proto__":{"valid":false,"requestDate":"2026-10-03T21:02:05Z"}}'],
    ["an answer inside another", JSON.stringify({ body: { ...ANSWERED, valid: false } })],
    ["the web page's answer", JSON.stringify({ isValid: false, userError: "INVALID" })],
  ])("with %s", (_, text) => {
    for (const status of [200, 403, 404, 429, 500, 502, 503])
      expect(read(text, status)).toMatchObject(UNREADABLE);
  });

  it.each(["true", "false", 1, 0, null, [], {}, undefined])("when valid is %j", (valid) => {
    expect(read({ ...ANSWERED, valid })).toMatchObject(UNREADABLE);
  });

  it.each([100, 199, 300, 302, 304, 401, 403, 404, 429, 500, 502, 503, 504, 599])(
    "with the status %i",
    (status) => {
      for (const valid of [true, false])
        expect(read({ ...ANSWERED, valid }, status)).toMatchObject(UNREADABLE);
    },
  );

  it("with the status 400, which counts only against this request", () => {
    for (const body of ["<html>", {}, { ...ANSWERED, valid: false }, wrapped(null)]) {
      expect(read(body, 400)).toMatchObject({ kind: "no-answer", reason: "BAD_REQUEST", scope: "call" });
    }
  });

  it.each([
    ["no errors", wrapped()],
    ["null for an error", wrapped(null)],
    ["a list for an error", wrapped([])],
    ["an error without a code", wrapped({ message: "MS_UNAVAILABLE" })],
    ["a code that is no text", wrapped({ error: 5 }, { error: null })],
    ["an empty code", wrapped({ error: " " })],
    ["an object instead of the errors", { errorWrappers: { error: "MS_UNAVAILABLE" } }],
    ["an action that failed", { actionSucceed: false }],
    ["a user error that is no text", { userError: 3 }],
  ])("with %s, even next to a verdict", (_, body) => {
    for (const more of [{}, ANSWERED, { ...ANSWERED, valid: false }]) {
      expect(read({ ...more, ...body })).toMatchObject(UNREADABLE);
    }
  });

  it("if two verdicts contradict each other", () => {
    expect(read({ ...ANSWERED, valid: false, userError: "VALID" })).toMatchObject(UNREADABLE);
    expect(read({ ...ANSWERED, valid: true, userError: "INVALID" })).toMatchObject(UNREADABLE);
    expect(read({ ...ANSWERED, valid: false, userError: "INVALID" })).toMatchObject({
      kind: "answer",
      valid: false,
    });
  });

  it("with an error code in any field and with any status", () => {
    for (const [code, meaning] of NO_ANSWERS) {
      const kind = meaning === "requester" ? "requester-refused" : "no-answer";
      for (const status of [200, 400, 500]) {
        expect(read(wrapped({ error: code }), status)).toMatchObject({ kind, reason: code });
        expect(
          read({ ...ANSWERED, valid: false, ...wrapped(null, { error: ` ${code}\n` }) }, status),
        ).toMatchObject({
          kind,
          reason: code,
        });
        expect(read({ isValid: false, userError: code }, status)).toMatchObject({ kind, reason: code });
      }
    }
  });

  it("with an unknown code, which is not quoted because it could contain anything", () => {
    for (const error of ["NL123456782B90 IS BAD", "__proto__", "constructor", "toString", "ms_unavailable"]) {
      const word = read(wrapped({ error }));
      expect(word).toMatchObject({
        kind: "no-answer",
        reason: "UNKNOWN_CODE",
        scope: "call",
        isFromUpstream: true,
      });
      expect(JSON.stringify(word)).not.toContain(error);
    }
  });
});
