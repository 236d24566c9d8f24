import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { isJsonObject } from "../../lib/values.ts";
import type { UpstreamResponse } from "../../upstream/pool.ts";
import * as codes from "./codes.ts";
import { readKvkResponse } from "./readResponse.ts";

const AT = "2026-10-03T21:02:05.698Z";
const RECORDED = sharedPath("data/kvk/recorded");

function response(status: number, body: unknown, headers: Record<string, string> = {}): UpstreamResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { kind: "response", status, text, headers: { "content-type": "application/json", ...headers } };
}

const wordOf = (...call: Parameters<typeof response>) => readKvkResponse(response(...call), AT);
const fault = (code: unknown) => ({ fout: [{ code, omschrijving: "…" }] });

describe("a response of KVK", () => {
  it("is accepted only as a JSON object with a success status and a JSON content type", () => {
    const body = { kvkNummer: "50000012" };
    const answer = { kind: "found", value: body, asOf: AT };
    expect(wordOf(200, body)).toEqual(answer);
    expect(wordOf(200, `\ufeff${JSON.stringify(body)}`)).toEqual(answer);
    for (const type of ["application/hal+json", "Application/JSON; charset=utf-8"]) {
      expect(wordOf(200, body, { "content-type": type })).toEqual(answer);
    }
    for (const type of ["text/html", "text/plain", "application/jsonp", ""]) {
      expect(wordOf(200, body, { "content-type": type })).toBe(codes.UNREADABLE);
    }
    for (const text of ["", "<html></html>", '{"kvkNummer":', "[]", "null", '"text"', "[".repeat(200_000)]) {
      expect(wordOf(200, text)).toBe(codes.UNREADABLE);
    }
    expect(wordOf(302, body, { location: "/elsewhere" })).toBe(codes.UNREADABLE);
  });

  it.each([
    [400, "IPD0004"],
    [404, "IPD0005"],
    [404, "IPD0007"],
    [404, "IPD5200"],
    [400, "IPD0006"],
    [400, "IPD0010"],
  ])("means not found with HTTP %i and %s", (status, code) => {
    expect(wordOf(status, fault(code))).toEqual({ kind: "not-found", reason: code, asOf: AT });
  });

  it("never means not found without one of KVK's codes, or with a server error", () => {
    for (const body of ["", "<h1>Not Found</h1>", {}, { message: "no Route matched" }]) {
      expect(wordOf(404, body)).toBe(codes.NO_SUCH_ADDRESS);
    }
    for (const body of [{ fout: [] }, { fout: [null] }, { fout: [{ code: 5200 }] }, { fout: null }]) {
      expect(wordOf(404, body)).toBe(codes.UNREADABLE);
    }
    expect(wordOf(404, fault("IPD5200"), { "content-type": "text/html" })).toBe(codes.NO_SUCH_ADDRESS);
    expect(wordOf(404, fault("IPD7777"))).toBe(codes.UNKNOWN_CODE);
    expect(wordOf(500, fault("IPD5200"))).toMatchObject({ kind: "no-answer", cause: "outage" });
  });

  it.each([
    [404, "IPD1002", { cause: "later", retryAfterSeconds: 300, isTransient: false, scope: "call" }],
    [404, "IPD1003", { cause: "later", retryAfterSeconds: 300, isTransient: false, scope: "call" }],
    [500, "IPD9999", { cause: "outage", isTransient: true, scope: "product", reason: "IPD9999" }],
    [404, "IPD9999", { cause: "outage", isTransient: true, scope: "product", reason: "IPD9999" }],
    [400, "IPD1998", { cause: "request", isTransient: false }],
    [400, "IPD1999", { cause: "request", isTransient: false }],
    [404, "IPD5203", { cause: "request", isTransient: false }],
    [404, "IPD0001", { cause: "request", isTransient: false }],
    [503, "IPD7777", { cause: "outage", reason: "SERVER_FAILED", isTransient: true }],
  ])("is a failure with HTTP %i and %s", (status, code, meaning) => {
    expect(wordOf(status, fault(code))).toMatchObject({
      kind: "no-answer",
      isFromUpstream: true,
      ...meaning,
    });
  });

  it("blames the key for 401 and 403, whatever the body says", () => {
    for (const status of [401, 403]) {
      for (const body of ["", "<html>", fault("IPD0005")]) {
        expect(wordOf(status, body)).toBe(codes.KEY_REFUSED);
      }
    }
  });

  it("includes the pause that KVK asks for, without an immediate retry", () => {
    expect(wordOf(429, "")).toBe(codes.RATE_LIMITED);
    expect(wordOf(429, "", { "retry-after": "0" })).toBe(codes.RATE_LIMITED);
    expect(wordOf(429, "", { "retry-after": "1" })).toMatchObject({
      isTransient: false,
      retryAfterSeconds: 1,
    });
    const dates = { date: "Thu, 26 Nov 2026 10:00:00 GMT", "retry-after": "Thu, 26 Nov 2026 10:02:00 GMT" };
    expect(wordOf(503, "", dates)).toMatchObject({ isTransient: false, retryAfterSeconds: 120 });
    expect(wordOf(503, "", { "retry-after": "120" })).toMatchObject({
      isTransient: false,
      retryAfterSeconds: 120,
    });
    expect(wordOf(429, "", { "retry-after": "999999999" })).toMatchObject({ retryAfterSeconds: 86_400 });
    expect(wordOf(429, "", { "retry-after": "soon" })).toBe(codes.RATE_LIMITED);
  });

  it("never throws and never treats a failure as a result", () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => `{"fout":${json}}`),
    );
    const headers = fc.dictionary(fc.constantFrom("content-type", "retry-after"), fc.string());
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, headers, (status, text, more) => {
        const { kind } = wordOf(status, text, more);
        if (status >= 300 || status < 200) expect(kind).not.toBe("found");
        if (kind === "not-found") expect(text).toMatch(/IPD/);
      }),
    );
  });
});

describeWith(shared(RECORDED), "every recorded error", () => {
  const files = readdirSync(RECORDED);

  it.each(files.filter((file) => /__(400|404|500)__/.test(file)))("%s is understood", (file) => {
    const parsed: unknown = JSON.parse(readFileSync(`${RECORDED}/${file}`, "utf8"));
    const { status, body, content_type: type } = isJsonObject(parsed) ? parsed : {};
    const word = wordOf(Number(status), body, { "content-type": String(type) });
    expect(word.kind).toBe(status === 500 ? "no-answer" : "not-found");
  });
});
