import pino from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import { MeterOverloaded } from "../../metering/meter.ts";
import { errorFacts } from "./errorFacts.ts";
import { FailureLog } from "./failureLog.ts";

let lines: Record<string, unknown>[];
let failures: FailureLog;
let isFull: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  lines = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  failures = new FailureLog(pino({ base: null, serializers: { err: errorFacts } }, { write }));
  isFull = false;
});
afterEach(() => {
  vi.useRealTimers();
});

const loggedLines = () => lines.map(({ time: _time, ...line }) => line);

/** A call of the state as a database reports it. */
async function called(call: Promise<void>, isWrite: boolean): Promise<void> {
  failures.stateCalled(call, isWrite);
  await call;
}

function write(): Promise<void> {
  return called(
    isFull ? Promise.reject(new StoreUnavailable("database or disk is full")) : Promise.resolve(),
    true,
  );
}

async function refusedCall(): Promise<void> {
  await write().catch((error: unknown) => failures.callFailed(error, "r-1", "/v1/usage"));
}

it("logs an outage of the state once, and its end with the number of refused calls", async () => {
  await write();
  expect(loggedLines()).toEqual([]);
  isFull = true;
  for (let count = 0; count < 5_000; count++) {
    await refusedCall();
    vi.advanceTimersByTime(1);
    // A successful read proves nothing.
    await called(Promise.resolve(), false);
  }
  const away = {
    level: 50,
    reason: "database or disk is full",
    msg: "the state store is unavailable: calls are refused",
  };
  expect(loggedLines()).toEqual([away]);
  isFull = false;
  await write();
  vi.advanceTimersByTime(1_000);
  expect(loggedLines()).toEqual([
    away,
    {
      level: 30,
      since: expect.any(String),
      lastedMs: 5_000,
      refused: 5_000,
      msg: "the state store is available again",
    },
  ]);
  await refusedCall();
  vi.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(2);
});

it("logs no outage after the service has closed its state", async () => {
  failures.close();
  isFull = true;
  await refusedCall();
  expect(loggedLines()).toEqual([]);
});

it("logs the reason of an outage without secrets", async () => {
  const reason = "no route to postgres://opzoek:hunter2@db.example/opzoek";
  await expect(called(Promise.reject(new StoreUnavailable(reason)), true)).rejects.toThrow(StoreUnavailable);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain("hunter2");
  expect(lines[0]?.reason).toMatch(/^no route to postgres:/);
});

it("logs a flapping outage at most once a second", async () => {
  for (let count = 0; count < 200; count++) {
    isFull = count % 2 === 0;
    await refusedCall();
    vi.advanceTimersByTime(10);
  }
  await write();
  vi.advanceTimersByTime(1_000);
  expect(loggedLines()).toMatchObject([{ level: 50 }, { level: 30, refused: 100 }]);
});

it("logs when an overload begins and ends", () => {
  for (let count = 0; count < 3_000; count++) {
    failures.callFailed(new MeterOverloaded(), "r-1", "/v1/usage");
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1_000);
  expect(loggedLines()).toMatchObject([
    { level: 40, msg: "too many calls at once: some are refused" },
    { level: 30, refused: 3_000 },
  ]);
});

it("logs unexpected errors with their stack, once a second per kind, with the number of suppressed ones", () => {
  const fail = (error: Error) => failures.callFailed(error, "r-1", "/v1/lookup/:kvkNumber");
  for (let count = 0; count < 2_500; count++) {
    fail(new TypeError("the registry is broken"));
    if (count === 1_200) fail(new RangeError("of another kind"));
    vi.advanceTimersByTime(1);
  }
  failures.close();
  const ofKind = (type: string) => lines.filter(({ err }) => (err as { type: string }).type === type);
  expect(ofKind("TypeError").map(({ leftOut }) => leftOut)).toEqual([undefined, 998, 999, 499]);
  expect(ofKind("TypeError")[0]).toMatchObject({
    level: 50,
    requestId: "r-1",
    route: "/v1/lookup/:kvkNumber",
    err: { stack: expect.stringMatching(/failureLog\.test/) },
    msg: "a call failed",
  });
  expect(ofKind("RangeError")).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(5);
});

it("limits the number of kinds that are logged separately", () => {
  for (let count = 0; count < 10_000; count++) {
    failures.failed(Object.assign(new Error("odd"), { code: `E${count}` }), "a call failed");
  }
  expect(lines).toHaveLength(9);
});
