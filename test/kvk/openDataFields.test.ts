/** A monitored company of GLEIF gets activities and its start date from KVK's open data, named as such. */
import { expect, it } from "vitest";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { type Answer, jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { callsTo, startKvk } from "../kit/kvk.ts";
import { kvk as kvkNumberOf } from "../kit/kvkSimulator.ts";
import { serveHere } from "../kit/serveHere.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { newMonitorId } from "../kit/stores/monitorFixture.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const [ONE, OTHER] = [kvkNumberOf("50000001"), kvkNumberOf("50000002")];
const LOOKUP = ENDPOINTS.find(({ path }) => path === "/v1/lookup/:kvkNumber");

/** A service without KVK's API over two companies of GLEIF, whose open data is simulated. */
async function service() {
  const gleif = { origin: "gleif", asOf: "2026-01-01T00:00:00.000Z" };
  const facts = [ONE, OTHER].map((kvkNumber) => ({
    ...{ kvkNumber, name: "Fabelwerk B.V.", isActive: true, legalForm: "BV" as const },
  }));
  const activities = [
    { sbiCode: "69101", description: "Advocatenkantoren", isMain: true },
    { sbiCode: "01131", description: "Teelt van groenten", isMain: false },
  ];
  const kvk = await startKvk({
    openDataPerMinute: 1_000_000,
    companies: facts.map((company) => ({ ...company, registrationDate: "2010-12-31", activities })),
  });
  const world = await makeWorld({
    companies: facts.map((company) => ({ ...gleif, facts: company })),
    environment: { KVK_OPEN_DATA_URL: kvk.openDataUrl, KVK_OPEN_DATA_PER_MINUTE: "60" },
  });
  const account = await world.account("plenty");
  // Before the start, because the service reads the monitored companies once a minute.
  await changeStored(
    world,
    `insert into monitors (id, account_id, key_id, is_test, kvk_number, created_at_ms)
       select '${newMonitorId()}', account_id, id, 0, '${ONE}', 1 from keys limit 1;
     insert into insolvencies (kvk_number, observed_at_ms, is_monitored) values ('${ONE}', 0, 1)`,
  );
  const served = await serveHere(world);
  const post = (path: string, body: unknown, headers = {}) =>
    ask(served, { method: "POST", path, key: account.key, body, headers });
  const isStored = async () => {
    const rows = await storedRows(world, "select start_date from insolvencies");
    return rows.some((row) => row["start_date"] !== null);
  };
  return { kvk, post, isStored, ...callsTo(served, account) };
}

const charge = (answer: Answer) => numberIn(answer, "x-tokens-charged");

it("an enriched lookup, batch and list of a monitored company have them, and cost their full price", async () => {
  const { kvk, post, isStored, get, batch } = await service();
  const without = await get(`/v1/lookup/${OTHER}?enrich=true`);
  expect(charge(without)).toBe(1);
  await until("the open data is stored", isStored);
  const openData = { fields: ["activities", "startDate"], observedAt: expect.any(String) };
  const shown = {
    activities: [
      { sbiCode: "69101", isMain: true },
      { sbiCode: "01131", isMain: false },
    ],
    startDate: "2010-12-31",
    source: { kvk: "gleif", cachedAt: expect.any(String), openData },
  };
  const enriched = await get(`/v1/lookup/${ONE}?enrich=true`);
  if (LOOKUP?.auth === "key") expectDocumented(LOOKUP, enriched);
  expect(charge(enriched)).toBe(5);
  expect(jsonOf(enriched)).toMatchObject(shown);
  expect(jsonOf(enriched)).not.toHaveProperty("registrationDate");
  const both = jsonOf(await batch([ONE, OTHER], { enrich: true }));
  expect(both).toMatchObject({ results: [shown, { kvkNumber: OTHER }], tokensUsed: 6 });
  expect(both).not.toHaveProperty("results.1.activities");
  expect(jsonOf(await get(`/v1/lookup/${ONE}`))).not.toHaveProperty("source.openData");

  const type = { "content-type": "text/csv" };
  const job = jsonOf(await post("/v1/jobs?kind=lookup.enriched", `kvkNumber\n${ONE}\n${OTHER}\n`, type));
  const path = `/v1/jobs/${Object(job).id}`;
  await until("the list ends", async () => Object(jsonOf(await get(path))).status === "completed");
  expect(jsonOf(await get(path))).toMatchObject({ tokens: { charged: 6 } });
  const [head = "", first = "", second = ""] = (await get(`${path}/results?format=csv`)).text.split("\n");
  const cell = (row: string, column: string) => row.split(",")[head.trim().split(",").indexOf(column)];
  expect(cell(first, "startDate")).toBe("2010-12-31");
  expect(cell(first, "mainSbiCode")).toBe("69101");
  expect(first).toMatch(/activities.*startDate/);
  expect(second).not.toMatch(/activities/);
  expect(kvk.log.map(({ requested }) => requested)).not.toContain(OTHER);
});
