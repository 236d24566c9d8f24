/** KVK's open data is asked within its rate, and an outage is never "no insolvency". */
import { describe, expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Fault } from "../../src/demo/kvk/faults.ts";
import type { KvkSimulator, KvkSimulatorOptions } from "../../src/demo/kvk/server.ts";
import { OpenDataWorker } from "../../src/kvk/openData/worker.ts";
import { simulator } from "../kit/kvkSimulator.ts";
import { monitoring, type Node, nodeOf, stateForSources, step } from "../kit/monitorSources.ts";
import type { StoreFixture } from "../kit/stores/fixture.ts";
import { newCompanies } from "../kit/stores/monitorFixture.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const company = (kvkNumber: KvkNumber, legalForm: NonNullable<CompanyFacts["legalForm"]> = "BV") => ({
  kvkNumber,
  name: "Fabel",
  isActive: true,
  legalForm,
});

interface Setting {
  readonly fixture: StoreFixture;
  readonly kvk: KvkSimulator;
  readonly node: Node;
  readonly numbers: readonly [KvkNumber, KvkNumber, KvkNumber];
}

async function monitored(options: KvkSimulatorOptions = {}, callWithinMs?: number): Promise<Setting> {
  const fixture = stateForSources();
  const [one, two, three] = newCompanies(3) as [KvkNumber, KvkNumber, KvkNumber];
  const companies = [company(one), company(two), company(three, "STI")];
  const kvk = await simulator({ companies, ...options });
  const node = await nodeOf(fixture, kvk, callWithinMs === undefined ? {} : { callWithinMs });
  await monitoring(fixture, node, [one, two, three]);
  return { fixture, kvk, node, numbers: [one, two, three] };
}

const workerOf = ({ openData, store }: Node, { nowMs }: { nowMs: () => number }, everyMs = MINUTE_MS) =>
  new OpenDataWorker({ client: openData, store: store.monitors, everyMs, now: nowMs });

const asked = ({ log }: KvkSimulator) =>
  log.filter(({ product }) => product === "open-data").map(({ requested }) => requested);

describe("KVK's open data", () => {
  it("is asked once a minute by all processes together, also when one is killed", async () => {
    const { fixture, kvk, node } = await monitored();
    const nodes = [node, await nodeOf(fixture, kvk)];
    const nowMs = () => fixture.nowMs;
    const workers = nodes.map((one) => ({ node: one, work: workerOf(one, { nowMs }) }));
    const killed = {
      async run(): Promise<never> {
        throw new Error("killed");
      },
    };
    await expect(step(node, "open-data", killed, MINUTE_MS)).rejects.toThrow("killed");
    for (let second = 0; second < 240; second += 5) {
      await Promise.all(workers.map((one) => step(one.node, "open-data", one.work, MINUTE_MS)));
      expect(asked(kvk).length).toBeLessThanOrEqual(second / 60);
      fixture.nowMs += 5_000;
    }
    expect(new Set(asked(kvk)).size).toBe(3);
    expect(asked(kvk)).toHaveLength(3);
  });

  it("is stored: an insolvency, none, and no data about other legal forms", async () => {
    const { fixture, kvk, node, numbers } = await monitored();
    kvk.setOpenData(numbers[1], { insolventieCode: "FAIL", actief: "N" });
    const work = workerOf(node, { nowMs: () => fixture.nowMs });
    for (const _ of numbers) {
      await step(node, "open-data", work);
      fixture.nowMs += MINUTE_MS;
    }
    const [none, bankrupt, other] = await node.store.monitors.insolvencies(numbers);
    expect(none).toMatchObject({ insolvency: "none", isActive: true });
    expect(bankrupt).toMatchObject({ insolvency: "bankruptcy", isActive: false });
    expect(other).toEqual({ observedAtMs: expect.any(Number) });
    expect(asked(kvk)).toEqual([...numbers]);
  });

  it("is asked again after a day, the oldest first; after a month where it had no data", async () => {
    const { fixture, kvk, node, numbers } = await monitored();
    const work = workerOf(node, { nowMs: () => fixture.nowMs });
    const stepThrough = async (steps: number) => {
      for (let count = 0; count < steps; count++) {
        await step(node, "open-data", work);
        fixture.nowMs += MINUTE_MS;
      }
    };
    await stepThrough(6);
    expect(asked(kvk)).toEqual([...numbers]);
    fixture.nowMs += 24 * HOUR_MS;
    await stepThrough(6);
    expect(asked(kvk)).toEqual([...numbers, ...numbers.slice(0, 2)]);
    fixture.nowMs += 31 * 24 * HOUR_MS;
    await stepThrough(6);
    expect(asked(kvk).slice(5)).toHaveLength(3);
    expect(new Set(asked(kvk).slice(5))).toEqual(new Set(numbers));
  });

  const faults: readonly Fault[] = [
    { kind: "html" },
    { kind: "html", status: 200 },
    { kind: "html", status: 404 },
    { kind: "gateway", status: 500 },
    { kind: "gateway", status: 403 },
    { kind: "code", code: "IPD1003" },
    { kind: "code", code: "IPD9999" },
    { kind: "reset" },
    { kind: "truncated" },
    { kind: "cutJson" },
    { kind: "tooLarge" },
    { kind: "hang" },
    { kind: "tooMany" },
  ];
  it.each(faults)("stores nothing after %j, and asks again later", async (fault) => {
    const { fixture, kvk, node, numbers } = await monitored({}, fault.kind === "hang" ? 100 : undefined);
    const work = workerOf(node, { nowMs: () => fixture.nowMs });
    kvk.setFault("open-data", fault);
    for (let count = 0; count < 4; count++) {
      if (node.openData.permitsCalls) await step(node, "open-data", work);
      fixture.nowMs += MINUTE_MS;
    }
    expect(await node.store.monitors.insolvencies(numbers)).toEqual([null, null, null]);
    kvk.clearFaults();
    fixture.nowMs += 2 * HOUR_MS;
    const patient = await nodeOf(fixture, kvk);
    const again = workerOf(patient, { nowMs: () => fixture.nowMs });
    for (let count = 0; count < 5; count++) {
      await step(patient, "open-data", again);
      fixture.nowMs += MINUTE_MS;
    }
    expect((await node.store.monitors.insolvencies(numbers)).filter((one) => one !== null)).toHaveLength(3);
  });

  it("does not let a company without an answer block the others", async () => {
    const { fixture, kvk, node, numbers } = await monitored();
    const work = workerOf(node, { nowMs: () => fixture.nowMs });
    kvk.setFault("open-data", { kind: "flapping", code: "IPD1003", first: 1 });
    for (let count = 0; count < 4; count++) {
      await step(node, "open-data", work);
      fixture.nowMs += MINUTE_MS;
    }
    expect(asked(kvk)).toEqual([...numbers]);
    fixture.nowMs += HOUR_MS;
    await step(node, "open-data", work);
    expect(asked(kvk)).toEqual([...numbers, numbers[0]]);
  });

  it("is left alone for the time that it asks for, five minutes without one, by all processes", async () => {
    const { fixture, kvk, node } = await monitored();
    const other = await nodeOf(fixture, kvk);
    const nowMs = () => fixture.nowMs;
    kvk.setFault("open-data", { kind: "tooMany", retryAfterSeconds: 300 });
    expect(await step(node, "open-data", workerOf(node, { nowMs }))).toBe(300_000);
    fixture.nowMs += 299_999;
    expect(await step(other, "open-data", workerOf(other, { nowMs }))).toBeUndefined();
    fixture.nowMs += 1;
    kvk.setFault("open-data", { kind: "tooMany" });
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 6; count++) {
      const wait = await step(other, "open-data", workerOf(other, { nowMs }));
      waits.push(wait);
      fixture.nowMs += wait ?? 0;
    }
    expect(waits).toEqual(Array(6).fill(5 * MINUTE_MS));
    kvk.clearFaults();
    expect(await step(other, "open-data", workerOf(other, { nowMs }))).toBe(MINUTE_MS);
    expect([node.openData.health, other.openData.health]).toEqual(["up", "up"]);
  });
});
