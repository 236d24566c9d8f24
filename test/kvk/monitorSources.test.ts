/** A service asks KVK about monitored companies as its settings say. */
import { beforeEach, describe, expect, it } from "vitest";
import { SIMULATED_SUBSCRIPTION } from "../../src/demo/kvk/signals.ts";
import { jsonOf } from "../kit/answer.ts";
import { callsTo, startKvk } from "../kit/kvk.ts";
import { startService } from "../kit/service.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { newMonitorId } from "../kit/stores/monitorFixture.ts";
import { awayFromDutchDayEnd, until } from "../kit/until.ts";
import { startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";

beforeEach(awayFromDutchDayEnd);

/** A service over a simulated KVK, with a monitor of a BV. */
async function monitoring(
  environment: Readonly<Record<string, string>>,
  before: (kvkNumber: string, kvk: Awaited<ReturnType<typeof startKvk>>) => void = () => {},
) {
  const [kvk, vies] = await Promise.all([startKvk({ openDataPerMinute: 1_000_000 }), startVies({})]);
  const [company] = [...kvk.register.all].filter(({ facts }) => facts.legalForm === "BV" && facts.isActive);
  if (company === undefined) throw new Error("there is no BV");
  const { kvkNumber } = company.facts;
  const world = await makeWorld({
    companies: [],
    environment: {
      VIES_URL: vies.url,
      KVK_API_URL: kvk.url,
      KVK_API_KEY: kvk.apiKey,
      KVK_OPEN_DATA_URL: kvk.openDataUrl,
      ...environment,
    },
  });
  const account = await world.account("plenty");
  before(kvkNumber, kvk);
  await changeStored(
    world,
    `insert into monitors (id, account_id, key_id, is_test, kvk_number, created_at_ms)
       select '${newMonitorId()}', account_id, id, 0, '${kvkNumber}', 1 from keys limit 1;
     insert into insolvencies (kvk_number, observed_at_ms, is_monitored) values ('${kvkNumber}', 0, 1)`,
  );
  const service = await startService(world);
  const stored = (query: string) => storedRows(world, query);
  return { kvk, kvkNumber, world, stored, ...callsTo(service, account) };
}

const requests = ({ log }: Awaited<ReturnType<typeof startKvk>>) => log.map(({ product }) => product);

describe("a service", () => {
  it("asks nothing about monitored companies by default", async () => {
    const { kvk, get, kvkNumber } = await monitoring({});
    const company = jsonOf(await get(`/v1/lookup/${kvkNumber}?enrich=true`));
    expect(company).toMatchObject({ kvkNumber });
    expect(company).not.toHaveProperty("insolvency");
    expect(new Set(requests(kvk))).toEqual(new Set(["basisprofiel"]));
  });

  it("asks KVK's open data, and adds the insolvency to enriched lookups", async () => {
    const { kvk, get, batch, kvkNumber, stored } = await monitoring(
      { KVK_OPEN_DATA_PER_MINUTE: "60" },
      (number, simulated) => simulated.setOpenData(number, { insolventieCode: "FAIL" }),
    );
    await until("the open data is stored", async () => {
      const [row] = await stored("select insolvency from insolvencies");
      return row?.["insolvency"] === "bankruptcy";
    });
    const insolvency = { type: "bankruptcy", source: "kvk-open-data", observedAt: expect.any(String) };
    expect(jsonOf(await get(`/v1/lookup/${kvkNumber}?enrich=true`))).toMatchObject({ kvkNumber, insolvency });
    expect(jsonOf(await batch([kvkNumber], { enrich: true }))).toMatchObject({ results: [{ insolvency }] });
    expect(jsonOf(await get(`/v1/lookup/${kvkNumber}`))).not.toHaveProperty("insolvency");
    expect(requests(kvk).filter((product) => product === "open-data")).toHaveLength(1);
  });

  it("renews monitored companies with its share of KVK's calls", async () => {
    const { kvk, kvkNumber, stored } = await monitoring({ MONITOR_KVK_SHARE: "0.5" });
    await until("the company is stored", async () => {
      const rows = await stored("select kvk_number from live_companies");
      return rows.length === 1 && rows[0]?.["kvk_number"] === kvkNumber;
    });
    expect(await stored("select calls, monitor_calls from live_days")).toMatchObject([
      { calls: 1, monitor_calls: 1 },
    ]);
    expect(requests(kvk)).toEqual(["basisprofiel"]);
  });

  it("that is killed during a refresh repeats it after its restart", async () => {
    const { kvk, world, stored, service } = await monitoring(
      { KVK_SUBSCRIPTION: SIMULATED_SUBSCRIPTION, KVK_DEADLINE_MS: "30000" },
      (kvkNumber, { signals, setFault }) => {
        signals.add({ kvkNumber, atMs: Date.now() - 300_000 });
        setFault("basisprofiel", { kind: "hang" });
      },
    );
    await until("KVK is asked", () => kvk.counts.products.basisprofiel.requests > 0);
    await service.end("SIGKILL");
    kvk.clearFaults();
    expect(await stored("select 1 from live_companies")).toEqual([]);
    await startService(world);
    await until("the signal is complete", async () => {
      const rows = await stored("select due_at_ms from kvk_signals");
      return rows.length === 1 && rows[0]?.["due_at_ms"] === null;
    });
    expect(await stored("select 1 from live_companies")).toHaveLength(1);
  });

  it("refreshes the companies that KVK's signals name", async () => {
    const { kvk, stored, service } = await monitoring(
      { KVK_SUBSCRIPTION: SIMULATED_SUBSCRIPTION },
      (kvkNumber, { signals }) => signals.add({ kvkNumber, atMs: Date.now() - 300_000 }),
    );
    await until(
      "the company is stored",
      async () => (await stored("select 1 from live_companies")).length === 1,
    );
    await until("the signal is complete", async () => {
      const rows = await stored("select due_at_ms from kvk_signals");
      return rows.length === 1 && rows[0]?.["due_at_ms"] === null;
    });
    expect(requests(kvk).filter((product) => product !== "abonnementen")).toEqual(["basisprofiel"]);
    expect(await service.end("SIGTERM")).toBe(0);
    expect(service.log().filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
