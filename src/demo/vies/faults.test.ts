import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { check, codeOf, post, simulator } from "../../../test/kit/viesSimulator.ts";
import type { Fault } from "./faults.ts";
import type { ViesSimulator } from "./server.ts";

/** Registered in the made-up registry. */
const NUMBER = { countryCode: "AT", vatNumber: "U13585627" };

interface Raw {
  readonly status?: number;
  readonly bytes: Buffer;
  /** The number of pieces of the body. */
  readonly pieces: number;
  /** The error code if the connection ended early. */
  readonly error?: string;
}

/** Requests {@link NUMBER} over a new connection and returns the raw response. */
function raw({ url }: ViesSimulator, signal?: AbortSignal): Promise<Raw> {
  const parts: Buffer[] = [];
  let status: number | undefined;
  return new Promise((resolve) => {
    const end = (error?: string) =>
      resolve({
        bytes: Buffer.concat(parts),
        pieces: parts.length,
        ...(status !== undefined && { status }),
        ...(error !== undefined && { error }),
      });
    const failed = (error: NodeJS.ErrnoException) => end(error.code ?? error.message);
    const options = { method: "POST", agent: false as const, ...(signal !== undefined && { signal }) };
    const outgoing = request(`${url}/check-vat-number`, options, (response) => {
      status = response.statusCode;
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => end());
      response.on("error", failed);
    });
    outgoing.on("error", failed);
    outgoing.end(JSON.stringify(NUMBER));
  });
}

async function under(fault: Fault): Promise<{ vies: ViesSimulator; answer: Raw; text: string }> {
  const vies = await simulator();
  vies.setFault("AT", fault);
  const answer = await raw(vies);
  return { vies, answer, text: answer.bytes.toString("utf8") };
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 2_000) throw new Error(`timed out waiting until ${what}`);
    await wait(5);
  }
}

it("code: an error with HTTP 200, with the status that VIES uses, or with the given one", async () => {
  const busy = { actionSucceed: false, errorWrappers: [{ error: "MS_MAX_CONCURRENT_REQ" }] };
  const plain = await under({ kind: "code", code: "MS_MAX_CONCURRENT_REQ" });
  expect([plain.answer.status, JSON.parse(plain.text)]).toEqual([200, busy]);
  const unexpected = await under({ kind: "code", code: "VOW-ERR-1" });
  expect([unexpected.answer.status, codeOf(JSON.parse(unexpected.text))]).toEqual([500, "VOW-ERR-1"]);
  const gateway = await under({ kind: "code", code: "MS_MAX_CONCURRENT_REQ", status: 502 });
  expect([gateway.answer.status, JSON.parse(gateway.text)]).toEqual([502, busy]);
});

it("flapping: every other request fails, or the first few", async () => {
  const vies = await simulator();
  const outcomes = async (count: number) => {
    const seen: unknown[] = [];
    for (let index = 0; index < count; index++) {
      const { json } = await post(vies, NUMBER);
      seen.push(json["valid"] ?? codeOf(json));
    }
    return seen;
  };
  vies.setFault("*", { kind: "flapping", code: "TIMEOUT" });
  expect(await outcomes(4)).toEqual(["TIMEOUT", true, "TIMEOUT", true]);
  vies.setFault("*", { kind: "flapping", code: "TIMEOUT", first: 2 });
  expect(await outcomes(4)).toEqual(["TIMEOUT", "TIMEOUT", true, true]);
});

it("latency: the right response, late", async () => {
  const startedMs = performance.now();
  const { text } = await under({ kind: "latency", ms: 60 });
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(55);
  expect(JSON.parse(text)).toMatchObject({ valid: true });
});

it("hang: no response until the fault is cleared or replaced, or the caller hangs up", async () => {
  const vies = await simulator();
  const hanging = () => vies.counts.states.AT?.inFlight;
  vies.setFault("AT", { kind: "hang" });
  const released = raw(vies);
  await until("one request hangs", () => hanging() === 1);
  vies.clearFaults();
  expect(JSON.parse((await released).bytes.toString())).toMatchObject({ valid: true });

  vies.setFault("*", { kind: "hang" });
  const replaced = raw(vies);
  await until("another request hangs", () => hanging() === 1);
  vies.setFault("*", { kind: "code", code: "MS_UNAVAILABLE" });
  expect(codeOf(JSON.parse((await replaced).bytes.toString()))).toBe("MS_UNAVAILABLE");

  vies.setFault("AT", { kind: "hang" });
  const caller = new AbortController();
  const left = raw(vies, caller.signal);
  await until("a third one hangs", () => hanging() === 1);
  caller.abort();
  expect((await left).error).toBe("ABORT_ERR");
  await until("it is over", () => hanging() === 0);
});

it("reset: the connection is reset before any response", async () => {
  const { answer } = await under({ kind: "reset" });
  expect(answer).toMatchObject({ error: "ECONNRESET", pieces: 0 });
  expect(answer.status).toBeUndefined();
});

it("html: a page with 503, or another status", async () => {
  const { answer, text } = await under({ kind: "html" });
  expect(answer.status).toBe(503);
  expect(text).toMatch(/^<!DOCTYPE html>/);
  expect((await under({ kind: "html", status: 200 })).answer.status).toBe(200);
});

it("truncated: the connection ends in the middle of the body", async () => {
  const { answer, text } = await under({ kind: "truncated" });
  expect(answer).toMatchObject({ status: 200, error: "ECONNRESET" });
  expect(text).toMatch(/^\{"countryCode":"AT"/);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

it("cutJson: a complete response with half of the JSON", async () => {
  const { answer, text } = await under({ kind: "cutJson" });
  expect(answer.status).toBe(200);
  expect(answer.error).toBeUndefined();
  expect(text).toMatch(/^\{"countryCode":"AT"/);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

it("bom: a byte order mark before the right response", async () => {
  const { answer } = await under({ kind: "bom" });
  expect([...answer.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(JSON.parse(answer.bytes.subarray(3).toString())).toMatchObject({ valid: true });
});

it("slowBody: the right response in many pieces", async () => {
  const { answer, text } = await under({ kind: "slowBody", everyMs: 1 });
  expect(answer.pieces).toBeGreaterThan(5);
  expect(JSON.parse(text)).toMatchObject({ valid: true });
});

it("emptyErrors, nullError: errors without a code", async () => {
  const empty = await under({ kind: "emptyErrors" });
  expect(JSON.parse(empty.text)).toEqual({ actionSucceed: false, errorWrappers: [] });
  const holdsNull = await under({ kind: "nullError" });
  expect(JSON.parse(holdsNull.text)).toEqual({ actionSucceed: false, errorWrappers: [null] });
});

it("otherNumber: the result of another number", async () => {
  const answer = JSON.parse((await under({ kind: "otherNumber" })).text) as typeof NUMBER;
  expect(answer).toMatchObject({ valid: true, countryCode: NUMBER.countryCode });
  expect(answer.vatNumber).toHaveLength(NUMBER.vatNumber.length);
  expect(answer.vatNumber).not.toBe(NUMBER.vatNumber);
});

it("missingValid, wrongValid: results without a usable verdict", async () => {
  const missing = await under({ kind: "missingValid" });
  expect(JSON.parse(missing.text)).not.toHaveProperty("valid");
  expect(JSON.parse(missing.text)).toMatchObject(NUMBER);
  expect(JSON.parse((await under({ kind: "wrongValid" })).text)).toMatchObject({ ...NUMBER, valid: "true" });
});

it("invalid: a registered number is reported as not registered", async () => {
  const { text, vies } = await under({ kind: "invalid" });
  expect(JSON.parse(text)).toMatchObject({ valid: false, name: "---", address: "---" });
  vies.clearFaults();
  expect(await check(vies, NUMBER.countryCode, NUMBER.vatNumber)).toMatchObject({ valid: true });
});

it("a fault concerns one state; * concerns all without a fault of their own, and calls that name no state", async () => {
  const vies = await simulator();
  vies.setFault("DE", { kind: "code", code: "MS_UNAVAILABLE" });
  expect(codeOf(await check(vies, "DE", "136695976"))).toBe("MS_UNAVAILABLE");
  expect((await post(vies, NUMBER)).json["valid"]).toBe(true);
  vies.setFault("*", { kind: "code", code: "SERVICE_UNAVAILABLE" });
  expect(codeOf(await check(vies, "DE", "136695976"))).toBe("MS_UNAVAILABLE");
  expect(codeOf((await post(vies, NUMBER)).json)).toBe("SERVICE_UNAVAILABLE");
  expect(codeOf(await check(vies, "ZZ", "1"))).toBe("SERVICE_UNAVAILABLE");
});

it("a wrong fault is refused with an explanation", async () => {
  const vies = await simulator();
  expect(() => vies.setFault("DE", { kind: "latency", ms: -1 })).toThrow(/ms of kind latency must be/);
  expect(() => vies.setFault("DE", { kind: "code", code: "a b" })).toThrow(/such as MS_UNAVAILABLE/);
  expect((await post(vies, NUMBER)).json["valid"]).toBe(true);
});
