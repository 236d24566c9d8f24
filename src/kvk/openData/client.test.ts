import { describe, expect, it, onTestFinished } from "vitest";
import { kvk, simulator } from "../../../test/kit/kvkSimulator.ts";
import type { CompanyFacts } from "../../company/facts.ts";
import type { Fault } from "../../demo/kvk/faults.ts";
import type { KvkSimulator } from "../../demo/kvk/server.ts";
import { known } from "../../lib/values.ts";
import { OpenDataClient, type OpenDataClientOptions, openDataOverHttp } from "./client.ts";
import type { OpenDataResult } from "./readOpenData.ts";

const ONE = kvk("90001001");
const facts = (legalForm: NonNullable<CompanyFacts["legalForm"]>, isActive = true): CompanyFacts => ({
  kvkNumber: ONE,
  name: "Fabel",
  isActive,
  legalForm,
});

function clientOf(
  { openDataUrl }: KvkSimulator,
  options: Partial<OpenDataClientOptions> = {},
): OpenDataClient {
  const client = new OpenDataClient({
    upstream: openDataOverHttp(openDataUrl),
    callWithinMs: 120_000,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

const ask = (client: OpenDataClient): Promise<OpenDataResult> =>
  client.ask(ONE, new AbortController().signal);

describe("KVK's open data", () => {
  it("has BVs and NVs only", async () => {
    const kvkSimulator = await simulator({ companies: [] });
    const client = clientOf(kvkSimulator);
    expect(await ask(client)).toMatchObject({ kind: "not-found" });
    for (const [form, kind] of [
      ["BV", "found"],
      ["NV", "found"],
      ["STI", "not-found"],
    ] as const) {
      kvkSimulator.register.put(facts(form));
      expect((await ask(client)).kind, form).toBe(kind);
    }
  });

  it("says whether a company is active and insolvent", async () => {
    const kvkSimulator = await simulator({ companies: [facts("BV", false)] });
    const client = clientOf(kvkSimulator);
    expect(await ask(client)).toMatchObject({ value: { insolvency: "none", isActive: false } });
    kvkSimulator.setOpenData(ONE, { insolventieCode: "SURS" });
    expect(await ask(client)).toMatchObject({ value: { insolvency: "suspension_of_payments" } });
  });

  const faults: readonly (readonly [name: string, fault: Fault, result: object])[] = [
    ["HTML", { kind: "html" }, { cause: "outage" }],
    ["HTML with status 200", { kind: "html", status: 200 }, { cause: "outage", reason: "UNREADABLE" }],
    ["an error 500", { kind: "gateway", status: 500 }, { cause: "outage", reason: "SERVER_FAILED" }],
    ["an error 403", { kind: "gateway", status: 403 }, { cause: "configuration" }],
    ["a reset connection", { kind: "reset" }, { cause: "outage", reason: "UNREACHABLE" }],
    ["a cut body", { kind: "truncated" }, { cause: "outage" }],
    ["half a JSON", { kind: "cutJson" }, { cause: "outage", reason: "UNREADABLE" }],
    ["too large a body", { kind: "tooLarge" }, { cause: "outage", reason: "UNREADABLE" }],
    ["a hang", { kind: "hang" }, { cause: "outage", reason: "TIMED_OUT" }],
    ["429", { kind: "tooMany", retryAfterSeconds: 90 }, { cause: "later", retryAfterSeconds: 90 }],
  ];
  it.each(faults)("gives no answer after %s", async (_, fault, result) => {
    const kvkSimulator = await simulator({ companies: [facts("BV")] });
    kvkSimulator.setFault("open-data", fault);
    const client = clientOf(kvkSimulator, fault.kind === "hang" ? { callWithinMs: 100 } : {});
    expect(await ask(client)).toMatchObject({ kind: "no-answer", ...result });
  });

  it("is not called after three failures in a row, until a minute has passed", async () => {
    const kvkSimulator = await simulator({ companies: [facts("BV")] });
    kvkSimulator.setFault("open-data", { kind: "html" });
    let nowMs = 0;
    const changes: string[] = [];
    const client = clientOf(kvkSimulator, {
      elapsed: () => nowMs,
      onChange: (isOpen, reason) => changes.push(`${isOpen} ${reason}`),
    });
    for (let time = 0; time < 3; time++) await ask(client);
    expect(client.permitsCalls).toBe(false);
    expect(await ask(client)).toMatchObject({ reason: "NOT_ASKED" });
    expect(kvkSimulator.counts.products["open-data"].requests).toBe(3);
    nowMs = 60_000;
    kvkSimulator.clearFaults();
    expect(await ask(client)).toMatchObject({ kind: "found" });
    expect(changes).toEqual(["true SERVER_FAILED", "false answered"]);
  });

  it("is neither paused nor down when it refuses calls for its rate, and reports no change", async () => {
    const kvkSimulator = await simulator({ companies: [facts("BV")] });
    const changes: boolean[] = [];
    const client = clientOf(kvkSimulator, { onChange: (isOpen) => changes.push(isOpen) });
    for (const retryAfterSeconds of [undefined, 1, 90, 86_400]) {
      kvkSimulator.setFault("open-data", {
        kind: "tooMany",
        ...known("retryAfterSeconds", retryAfterSeconds),
      });
      for (let time = 0; time < 4; time++) {
        expect(await ask(client)).toMatchObject({ cause: "later", reason: "RATE_LIMITED" });
        expect([client.permitsCalls, client.health]).toEqual([true, "up"]);
      }
    }
    kvkSimulator.clearFaults();
    expect(await ask(client)).toMatchObject({ kind: "found" });
    expect(changes).toEqual([]);
  });

  it("is down after three failures until it answers", async () => {
    const kvkSimulator = await simulator({ companies: [facts("BV")] });
    let nowMs = 0;
    const client = clientOf(kvkSimulator, { elapsed: () => nowMs });
    expect(client.health).toBe("up");
    kvkSimulator.setFault("open-data", { kind: "html" });
    for (let time = 0; time < 3; time++) {
      await ask(client);
      nowMs += 200_000;
    }
    await ask(client);
    expect([client.permitsCalls, client.health]).toEqual([false, "down"]);
    kvkSimulator.clearFaults();
    nowMs += 1_800_000;
    await ask(client);
    expect(client.health).toBe("up");
  });
});
