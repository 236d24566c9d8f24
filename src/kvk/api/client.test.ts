import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { apiOver, budgetOf, kvk, simulator } from "../../../test/kit/kvkSimulator.ts";
import { serving } from "../../../test/kit/server.ts";
import { until } from "../../../test/kit/until.ts";
import type { Fault } from "../../demo/kvk/faults.ts";
import { FAULT_KINDS } from "../../demo/kvk/faults.ts";
import { BadKvkAccess, kvkOverHttp } from "./upstream.ts";

/** Far more than anything here takes, on a machine that stands still for seconds too. */
const LONG_MS = 120_000;
const long = () => AbortSignal.timeout(LONG_MS);

const APPEL = kvk("90000010");
/** A profile of a few dozen bytes. */
const BIJNA_NIETS = kvk("90000140");

const outage = { kind: "no-answer", cause: "outage" };
const configuration = { kind: "no-answer", cause: "configuration" };

/** The result of a lookup with each fault, and the number of calls that reach KVK. */
const FAULTS: readonly (readonly [fault: Fault, word: object, calls: number])[] = [
  [{ kind: "code", code: "IPD0004" }, { kind: "not-found", reason: "IPD0004" }, 1],
  [{ kind: "code", code: "IPD0005" }, { kind: "not-found", reason: "IPD0005" }, 1],
  [{ kind: "code", code: "IPD0007" }, { kind: "not-found", reason: "IPD0007" }, 1],
  [{ kind: "code", code: "IPD5200" }, { kind: "not-found", reason: "IPD5200" }, 1],
  [{ kind: "code", code: "IPD0001" }, { kind: "no-answer", cause: "request" }, 1],
  [{ kind: "code", code: "IPD1002" }, { cause: "later", retryAfterSeconds: 300 }, 1],
  [{ kind: "code", code: "IPD1003" }, { cause: "later", retryAfterSeconds: 300 }, 1],
  [{ kind: "code", code: "IPD1998" }, { kind: "no-answer", cause: "request" }, 1],
  [{ kind: "code", code: "IPD1999" }, { kind: "no-answer", cause: "request" }, 1],
  [{ kind: "code", code: "IPD9999" }, { ...outage, reason: "IPD9999" }, 3],
  [{ kind: "code", code: "IPD7777" }, { ...outage, reason: "SERVER_FAILED" }, 3],
  [{ kind: "code", code: "IPD7777", status: 404 }, { ...outage, reason: "UNKNOWN_CODE" }, 1],
  [{ kind: "flapping", code: "IPD9999", first: 2 }, { kind: "found" }, 3],
  [{ kind: "gateway", status: 401 }, { ...configuration, reason: "KEY_REFUSED" }, 1],
  [{ kind: "gateway", status: 403 }, { ...configuration, reason: "KEY_REFUSED" }, 1],
  [{ kind: "gateway", status: 404 }, { ...configuration, reason: "NO_SUCH_ADDRESS" }, 1],
  [{ kind: "gateway", status: 406 }, { kind: "no-answer", cause: "request" }, 1],
  [{ kind: "gateway", status: 502 }, { ...outage, reason: "SERVER_FAILED" }, 3],
  [{ kind: "tooMany" }, { cause: "later", reason: "RATE_LIMITED" }, 3],
  [{ kind: "tooMany", retryAfterSeconds: 60 }, { cause: "later", retryAfterSeconds: 60 }, 1],
  [{ kind: "tooMany", retryAfterSeconds: 60, status: 503 }, { ...outage, retryAfterSeconds: 60 }, 1],
  [{ kind: "compressed", coding: "gzip" }, { kind: "found" }, 1],
  [{ kind: "compressed", coding: "zstd" }, { kind: "found" }, 1],
  [{ kind: "interim" }, { kind: "found" }, 1],
  [{ kind: "html" }, { ...outage, reason: "SERVER_FAILED" }, 3],
  [{ kind: "html", status: 200 }, { ...outage, reason: "UNREADABLE" }, 3],
  [{ kind: "html", status: 404 }, { ...configuration, reason: "NO_SUCH_ADDRESS" }, 1],
  [{ kind: "contentType", type: "text/html" }, { ...outage, reason: "UNREADABLE" }, 3],
  [{ kind: "tooLarge" }, { ...outage, reason: "UNREADABLE" }, 3],
  [{ kind: "reset" }, { ...outage, reason: "UNREACHABLE" }, 3],
  [{ kind: "truncated" }, { ...outage, reason: "UNREACHABLE" }, 3],
  [{ kind: "cutJson" }, { ...outage, reason: "UNREADABLE" }, 3],
  [{ kind: "bom" }, { kind: "found" }, 1],
  [{ kind: "latency", ms: 5 }, { kind: "found" }, 1],
  [{ kind: "links", form: "array" }, { kind: "found" }, 1],
  [{ kind: "deviate", field: "naam", value: 7 }, { kind: "found" }, 1],
];

describe("a fault of KVK", () => {
  it.each(FAULTS)("%j returns its code after the expected number of calls", async (fault, word, calls) => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", fault);
    const budget = budgetOf();
    const received = await apiOver(kvkSimulator, { budget }).company(APPEL, long());
    expect(received).toMatchObject(word);
    expect([kvkSimulator.counts.all.requests, budget.spent]).toEqual([calls, calls]);
  });

  it("hang ends at the timeout of a call, or at the deadline", async () => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", { kind: "hang" });
    const arrived = () => kvkSimulator.counts.all.requests;
    // The first call may time out before it is sent, so the next one has more time.
    for (let callWithinMs = 30; arrived() === 0; callWithinMs *= 2) {
      const timedOut = await apiOver(kvkSimulator, { callWithinMs }).company(APPEL, long());
      expect(timedOut).toMatchObject({ ...outage, reason: "TIMED_OUT" });
    }
    const deadline = new AbortController();
    const late = apiOver(kvkSimulator).company(APPEL, deadline.signal);
    await until("the call hangs", () => arrived() === 2);
    deadline.abort();
    expect(await late).toMatchObject(outage);
    const budget = budgetOf();
    await apiOver(kvkSimulator, { budget }).company(APPEL, AbortSignal.abort());
    expect([arrived(), budget.spent]).toEqual([2, 0]);
  });

  it("slowBody is read to its end", async () => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", { kind: "slowBody", everyMs: 1 });
    expect((await apiOver(kvkSimulator).company(BIJNA_NIETS, long())).kind).toBe("found");
  });

  it("is covered here for every kind", () => {
    const tried = [...FAULTS.map(([{ kind }]) => kind), "hang", "slowBody"];
    expect(new Set(tried)).toEqual(new Set(FAULT_KINDS));
  });
});

describe("the budget", () => {
  it("of 10 permits exactly 10 of 100 concurrent lookups and explains the other failures", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator, { budget: budgetOf(10) });
    const numbers = [...kvkSimulator.register.all].slice(0, 100).map(({ facts }) => facts.kvkNumber);
    const words = await Promise.all(numbers.map((number) => api.company(number, long())));
    expect(kvkSimulator.counts.all.requests).toBe(10);
    expect(words.filter(({ kind }) => kind === "found").length).toBe(10);
    const refused = words.filter((word) => word.kind === "no-answer");
    expect(refused.every(({ cause }) => cause === "budget")).toBe(true);
    // A spent budget says nothing about KVK.
    expect(api.health).toBe("up");
  });

  it("is refunded for calls that did not reach KVK", async () => {
    const { url, stop } = await serving((_, response) => response.end());
    await stop();
    const budget = budgetOf();
    const word = await apiOver({ url, apiKey: "key" }, { budget }).company(APPEL, long());
    expect(word).toMatchObject({ ...outage, reason: "UNREACHABLE" });
    expect(budget.spent).toBe(0);
  });

  it("knows the payer of each try and each part", async () => {
    const kvkSimulator = await simulator();
    const budget = budgetOf();
    const api = apiOver(kvkSimulator, { budget });
    const own = await api.company(kvk("90000130"), long(), "free");
    if (own.kind === "found") await api.branches({ facts: own.value, asOf: own.asOf }, long(), "free");
    await api.company(APPEL, long());
    expect(budget.payers).toEqual(["free", "free", "free", "free", "other"]);
  });

  it("that cannot be counted permits no call, and its error reaches the caller", async () => {
    const kvkSimulator = await simulator();
    const budget = {
      spend: () => Promise.reject(new Error("the state store is away")),
    };
    const api = apiOver(kvkSimulator, { budget });
    await expect(api.company(APPEL, long())).rejects.toThrow("the state store is away");
    expect(kvkSimulator.counts.all.requests).toBe(0);
  });

  it("does not count searches, which are free", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator, { budget: budgetOf(0) });
    expect(await api.search({ q: "appel", page: 1, pageSize: 10 }, long())).toMatchObject({
      kind: "found",
    });
  });
});

describe("calls", () => {
  it("fail fast while KVK is down, and succeed again when it is back", async () => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", { kind: "reset" });
    let nowMs = 0;
    const received: string[] = [];
    const breakers = {
      now: () => nowMs,
      onChange: (what: string, isOpen: boolean, reason: string) =>
        received.push(`${what} ${isOpen} ${reason}`),
    };
    const api = apiOver(kvkSimulator, { breakers });
    await api.company(APPEL, long());
    expect([api.permitsCalls, api.health]).toEqual([true, "up"]);
    await api.company(APPEL, long());
    expect([api.permitsCalls, api.health]).toEqual([false, "down"]);
    const before = kvkSimulator.counts.all.requests;
    expect(before).toBe(5);
    expect(await api.company(APPEL, long())).toMatchObject({ reason: "NOT_ASKED" });
    expect(kvkSimulator.counts.all.requests).toBe(before);
    kvkSimulator.clearFaults();
    nowMs += 2_000;
    expect((await api.company(APPEL, long())).kind).toBe("found");
    expect(received).toEqual(["kvk true UNREACHABLE", "kvk false answered"]);
    expect(api.health).toBe("up");
  });

  it.each([
    [429, "kvk"],
    [503, "basisprofiel"],
  ])("respect Retry-After of HTTP %i", async (status, what) => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", { kind: "tooMany", status, retryAfterSeconds: 120 });
    let nowMs = 0;
    const changes: unknown[] = [];
    const onChange = (changed: string, isOpen: boolean) => changes.push([changed, isOpen]);
    const api = apiOver(kvkSimulator, { breakers: { now: () => nowMs, onChange } });
    await api.company(APPEL, long());
    kvkSimulator.clearFaults();
    nowMs = 119_999;
    expect(await api.company(APPEL, long())).toMatchObject({ reason: "NOT_ASKED" });
    expect([kvkSimulator.counts.all.requests, changes]).toEqual([1, [[what, true]]]);
    nowMs = 120_000;
    expect((await api.company(APPEL, long())).kind).toBe("found");
    expect(changes).toEqual([
      [what, true],
      [what, false],
    ]);
  });

  it("of a failing product do not affect other products", async () => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("zoeken", { kind: "code", code: "IPD9999" });
    const api = apiOver(kvkSimulator);
    const search = () => api.search({ q: "appel", page: 1, pageSize: 10 }, long());
    await search();
    await search();
    expect(await search()).toMatchObject({ reason: "NOT_ASKED" });
    expect((await api.company(APPEL, long())).kind).toBe("found");
    expect([api.health, api.permitsCalls]).toEqual(["degraded", true]);
  });

  it("with a wrong key stop after the third, with an error log", async () => {
    const kvkSimulator = await simulator();
    const received: string[] = [];
    const onChange = (what: string, isOpen: boolean, reason: string) =>
      received.push(`${what} ${isOpen} ${reason}`);
    const api = apiOver({ url: kvkSimulator.url, apiKey: "wrong" }, { breakers: { onChange } });
    for (let call = 0; call < 5; call++) await api.company(APPEL, long());
    expect(kvkSimulator.counts.all.requests).toBe(3);
    expect(received).toEqual(["key true KEY_REFUSED"]);
    expect(api.health).toBe("down");
  });

  it("never exceed 100 per second", async () => {
    const kvkSimulator = await simulator();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const api = apiOver(kvkSimulator, { perSecond: 100, atOnce: 400 });
    let settled = 0;
    const numbers = [...kvkSimulator.register.all].slice(0, 250).map(({ facts }) => facts.kvkNumber);
    const words = numbers.map((number) =>
      api.company(number, long()).then((word) => {
        settled += 1;
        return word;
      }),
    );
    const begun: number[] = [];
    while (settled < numbers.length) {
      while (settled < Math.min(numbers.length, (begun.length + 1) * 100)) await turn();
      begun.push(kvkSimulator.counts.all.requests);
      await vi.advanceTimersByTimeAsync(1_050);
    }
    expect(begun).toEqual([100, 200, 250]);
    expect((await Promise.all(words)).every(({ kind }) => kind === "found")).toBe(true);
  });

  it("never exceed the concurrency limit", async () => {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", { kind: "latency", ms: 5 });
    const api = apiOver(kvkSimulator, { atOnce: 7 });
    const numbers = [...kvkSimulator.register.all].slice(0, 60).map(({ facts }) => facts.kvkNumber);
    await Promise.all(numbers.map((number) => api.company(number, long())));
    expect(kvkSimulator.counts.all).toMatchObject({ requests: 60, maxInFlight: 7 });
  });
});

describe("the connection to KVK", () => {
  it("sends the key in its header and the same requests as recorded clients", async () => {
    const seen: unknown[] = [];
    const { url } = await serving((request, response) => {
      seen.push([request.url, request.headers["apikey"], request.headers.accept]);
      response.end();
    });
    await apiOver({ url, apiKey: "geheim" }).company(APPEL, long());
    expect(seen[0]).toEqual([
      "/base/v1/basisprofielen/90000010?geoData=true",
      "geheim",
      "application/hal+json",
    ]);
  });

  it("rejects an invalid key and invalid certificates without quoting them", () => {
    const at = { baseUrl: "https://kvk.example", apiKey: "key" };
    for (const apiKey of ["", "geheim\n", "ge heim", "gehéim"]) {
      expect(() => kvkOverHttp({ ...at, apiKey })).toThrow(BadKvkAccess);
      expect(() => kvkOverHttp({ ...at, apiKey })).toThrow(/^(?!.*geh|.*ge h).*KVK_API_KEY/);
    }
    const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
    for (const extraCertificates of ["", "no certificate", broken]) {
      expect(() => kvkOverHttp({ ...at, extraCertificates })).toThrow(/KVK_API_CA/);
    }
  });
});
