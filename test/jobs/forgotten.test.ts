/**
 * When `opzoek forget` returns, the state contains nothing of the company, on either store, also while no service runs.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, PLAIN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { storedRows, storedTexts } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld, type World } from "../kit/world.ts";
import { begun, change, completed, list, results, rowResults } from "./lists.ts";

const VAT_NUMBER = "PL8567346215";
const NAME = /Fabelkorst/i;

const STORES = [
  ["embedded", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("forgotten") })],
] as const;

describe.each(variants(STORES, { ordinary: 1 }))("on the %s store", (store, environment) => {
  let world: World;
  let key: string;
  const ids = { companies: "", verdicts: "", matches: "", cancelled: "" };
  /** Figures of the lists before. */
  let before: unknown;

  /** Everything in the state that callers can get. */
  const texts = async () =>
    (
      await Promise.all(
        ["lines from job_results", "answer from stored_responses", "payload from webhook_messages"].map(
          (column) => storedTexts(world, `select ${column}`),
        ),
      )
    ).map((column) => column.join(""));

  const figures = async (service: Service) => {
    const all: unknown[] = [];
    for (const id of [ids.companies, ids.verdicts, ids.matches]) {
      const lines = (await results(service, key, id)).length;
      all.push({ ...(await list(service, key, id)), lines });
    }
    return all;
  };

  const repeated = (service: Service) =>
    ask(service, { path: `/v1/lookup/${BAKERY}`, key, headers: { "idempotency-key": "once" } });

  beforeAll(async () => {
    const vies = await startVies({ companyOf: () => REGISTERED });
    world = await makeWorld({ environment: { VIES_URL: vies.url, ...(await environment()) } });
    ({ key } = await world.account("plenty"));
    const service = await startService(world);
    ids.companies = (await begun(service, key, [...PLAIN, BAKERY], "kind=lookup.enriched")).id;
    ids.verdicts = (await begun(service, key, [VAT_NUMBER], "kind=vat")).id;
    const rows = `name,city\nFabelkorst Bakkerij,\n`;
    const headers = { "content-type": "text/csv" };
    const sent = { method: "POST", path: "/v1/jobs?kind=match", key, headers, body: rows } as const;
    ids.matches = JSON.parse((await ask(service, sent)).text).id;
    ids.cancelled = (await begun(service, key, [BAKERY], "kind=lookup.enriched")).id;
    for (const id of Object.values(ids)) await completed(service, key, id);
    expect(await rowResults(service, key, ids.matches)).toMatchObject([
      { result: { candidates: [{ kvkNumber: BAKERY }] } },
    ]);
    expect((await repeated(service)).status).toBe(200);
    before = await figures(service);
    expect((await change(service, key, ids.cancelled, "cancel")).status).toBe(200);
    expect(await service.end("SIGTERM")).toBe(0);
    const [lines, answers] = await texts();
    expect([lines, answers]).toEqual([expect.stringMatching(NAME), expect.stringMatching(NAME)]);
    const { code, err } = await opzoek(["forget", BAKERY, "--vat-number", VAT_NUMBER], world.environment);
    expect(code, err).toBe(0);
  });

  it("no stored result, response or message contains a forgotten company", async () => {
    for (const column of await texts()) {
      expect(column).not.toMatch(NAME);
      expect(column).not.toContain(`"kvkNumber":"${BAKERY}"`);
    }
    if (store === "embedded") expect(readFileSync(statePath(world.dataDir), "latin1")).not.toMatch(NAME);
  });

  it("every line of a list stays, so its counts and charges are unchanged", async () => {
    const service = await startService(world);
    expect(await figures(service)).toEqual(before);
    expect(await results(service, key, ids.companies)).toContainEqual(
      expect.objectContaining({ number: BAKERY, error: expect.objectContaining({ code: "NOT_FOUND" }) }),
    );
    expect(await rowResults(service, key, ids.matches)).toMatchObject([
      { row: 1, result: { decision: "none", candidates: [] } },
    ]);
    expect((await repeated(service)).text).not.toMatch(NAME);
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it("results that were checked against the list are current: the next start has nothing to do", async () => {
    const marks = await storedRows(world, "select distinct mark from job_results");
    expect(marks).toHaveLength(1);
  });
});
