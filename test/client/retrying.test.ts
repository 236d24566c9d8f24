/** Which calls are retried, when, and why a retry is never charged twice. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type CallOptions,
  ConnectionError,
  Opzoek,
  OpzoekError,
  UnexpectedAnswerError,
} from "../../client/src/index.ts";
import { waitBeforeRetryMs } from "../../client/src/retrying.ts";
import { serviceError } from "../../client/src/serviceErrors.ts";
import { refusal, type Scripted, type ScriptedServer, startScripted } from "./scripted.ts";

const FOUND = { body: { kvkNumber: "51234567" } };
const AT_ONCE = { "retry-after": 0 };

let server: ScriptedServer;
let opzoek: Opzoek;
beforeAll(async () => {
  server = await startScripted();
  opzoek = new Opzoek({ baseUrl: server.address, key: "opz_live_not_a_real_one" });
});

/** The code that a lookup fails with, if any, and the number of attempts. */
async function tried(answers: readonly Scripted[], options?: CallOptions): Promise<[string, number]> {
  server.answer(...answers);
  const code = await opzoek.lookup("51234567", options).then(
    ({ kvkNumber }) => kvkNumber,
    (error: unknown) => (error instanceof OpzoekError ? error.code : String(error)),
  );
  return [code, server.seen.length];
}

describe("a call is retried", () => {
  it.each<[string, Scripted]>([
    ["after the delay of RATE_LIMIT_EXCEEDED", refusal(429, "RATE_LIMIT_EXCEEDED", AT_ONCE)],
    ["after the delay of a busy service", refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE)],
    ["while the same call is under way", refusal(409, "CONFLICT", AT_ONCE)],
    ["when a source has no answer", refusal(502, "UPSTREAM_ERROR")],
    ["after a fault of the service", refusal(500, "INTERNAL_ERROR")],
    ["after a code added later", refusal(503, "PLANET_CLOSED", AT_ONCE)],
    ["when a proxy has no service behind it", { status: 503, text: "<p>later</p>", headers: AT_ONCE }],
    ["when the connection broke", "reset"],
  ])("%s", async (_, first) => {
    expect(await tried([first, FOUND])).toEqual(["51234567", 2]);
  });

  it("under one idempotency key, so that it is paid once", async () => {
    await tried(["reset", refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE), FOUND]);
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    const [, count] = await tried([FOUND]);
    expect([count, server.seen[0]?.headers["idempotency-key"] === keys[0]]).toEqual([1, false]);
  });

  it("as often as configured, and twice by default", async () => {
    const busy = [refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE)];
    expect(await tried(busy)).toEqual(["SERVICE_UNAVAILABLE", 3]);
    expect(await tried(busy, { retries: 1 })).toEqual(["SERVICE_UNAVAILABLE", 2]);
    expect(await tried(busy, { retries: 0 })).toEqual(["SERVICE_UNAVAILABLE", 1]);
    expect(server.seen[0]?.headers["idempotency-key"]).toBeUndefined();
  });

  it("never if the number of retries is invalid, which would mean endlessly and without a key", async () => {
    expect(await tried(["reset", FOUND], { retries: Number("many") })).toEqual(["CONNECTION_ERROR", 1]);
  });

  it("under the given key, wherever it comes from", async () => {
    await tried([FOUND], { idempotencyKey: "invoice-2026-0042", retries: 0 });
    expect(server.seen[0]?.headers["idempotency-key"]).toBe("invoice-2026-0042");
  });
});

describe("a call is not retried", () => {
  it.each<[string, Scripted]>([
    ["QUOTA_EXCEEDED", refusal(429, "QUOTA_EXCEEDED", { "retry-after": 0 })],
    ["CONFLICT", refusal(409, "CONFLICT")],
    ["NOT_FOUND", refusal(404, "NOT_FOUND")],
    ["UNAUTHORIZED", refusal(401, "UNAUTHORIZED", { "retry-after": 0 })],
    ["UNEXPECTED_ANSWER", { status: 200, text: "<h1>Log in</h1>" }],
  ])("for %s", async (code, answer) => {
    expect(await tried([answer, FOUND])).toEqual([code, 1]);
  });

  it("if the delay exceeds what is left of its deadline: it fails at once", async () => {
    const beganAtMs = Date.now();
    expect(await tried([refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": 59 }), FOUND])).toEqual([
      "RATE_LIMIT_EXCEEDED",
      1,
    ]);
    expect(Date.now() - beganAtMs).toBeLessThan(30_000);
  });

  it("before the delay that the service requires has passed", async () => {
    server.answer(refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": 1 }), FOUND);
    const answeredAtMs: number[] = [];
    await opzoek.lookup("51234567", { onAnswer: () => answeredAtMs.push(performance.now()) });
    const [refused = 0, found = 0] = answeredAtMs;
    // A timer counts from the millisecond in which it began.
    expect(found - refused).toBeGreaterThanOrEqual(999);
  });

  it("if it is aborted during the delay", async () => {
    server.answer(refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": 20 }));
    const controller = new AbortController();
    const call = opzoek.lookup("51234567", { signal: controller.signal, onAnswer: () => controller.abort() });
    await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    expect(server.seen).toHaveLength(1);
  });
});

it("a call has one deadline for all attempts, and reports the error of the last one", async () => {
  server.answer(refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE), "nothing");
  const error: unknown = await opzoek
    .lookup("51234567", { timeoutMs: 4_000 })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "TIMEOUT", cause: { code: "SERVICE_UNAVAILABLE" } });
});

describe("the delay before the next attempt", () => {
  const SPREAD_MS = 1_000;
  /** The shortest and the longest of many delays. */
  function bounds(error: unknown, attempt = 1): [minMs: number, maxMs: number] {
    const pauses = Array.from({ length: 300 }, () => waitBeforeRetryMs(error, attempt) ?? Number.NaN);
    return [Math.min(...pauses), Math.max(...pauses)];
  }
  const errorOf = (code: string, status: number) =>
    serviceError(code, "wait", { status, retryAfterSeconds: 7 });

  it.each([
    ["RATE_LIMIT_EXCEEDED", errorOf("RATE_LIMIT_EXCEEDED", 429)],
    ["SERVICE_UNAVAILABLE", errorOf("SERVICE_UNAVAILABLE", 503)],
    ["CONFLICT of a call in progress", errorOf("CONFLICT", 409)],
    ["a proxy", new UnexpectedAnswerError({ status: 503, retryAfterSeconds: 7 })],
  ])("follows %s, plus up to a random second, so that clients do not return all at once", (_, error) => {
    for (const attempt of [1, 2, 5]) {
      const [minMs, maxMs] = bounds(error, attempt);
      expect(minMs).toBeGreaterThanOrEqual(7_000);
      expect(maxMs).toBeLessThanOrEqual(7_000 + SPREAD_MS);
      expect(maxMs - minMs).toBeGreaterThan(SPREAD_MS / 2);
    }
  });

  it("doubles with each attempt if the response gives none, half of it random", () => {
    for (const [attempt, longestMs] of [
      [1, 300],
      [2, 600],
      [3, 1_200],
    ] as const) {
      const [minMs, maxMs] = bounds(new ConnectionError(undefined), attempt);
      expect(minMs).toBeGreaterThanOrEqual(longestMs / 2);
      expect(maxMs).toBeLessThanOrEqual(longestMs);
      expect(maxMs - minMs).toBeGreaterThan(longestMs / 4);
    }
  });

  it("is not applied for QUOTA_EXCEEDED, whatever the response says", () => {
    expect(waitBeforeRetryMs(errorOf("QUOTA_EXCEEDED", 429), 1)).toBeUndefined();
  });
});
