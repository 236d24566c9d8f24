/** New data is served within seconds, without a failed request. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY, COMPANIES, kvkNumber } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

const SERVED_WITHIN_MS = 5_000;
const NEWCOMER = kvkNumber("50000010");

let world: World;
let service: Service;
let key: string;
let file: string;
beforeAll(async () => {
  world = await makeWorld();
  key = (await world.account("plenty")).key;
  service = await startService(world);
  file = join(temporaryFolder(), "newcomers.jsonl");
  const newcomer = { kvkNumber: NEWCOMER, name: "Nieuwkomer Sage B.V.", isActive: true };
  const source = { kvk: "import:fabel", cachedAt: "2026-02-02T00:00:00.000Z" };
  const renamed = { kvkNumber: BAKERY, name: "Bakkerij De Fabelkorst Anno Nu B.V.", isActive: true };
  writeFileSync(file, [newcomer, renamed].map((line) => JSON.stringify({ ...line, source })).join("\n"));
});

const look = (number: string): Promise<Answer> => ask(service, { path: `/v1/lookup/${number}`, key });

const CALLS_MEANWHILE = 50;

/** Sends calls continuously during `work`, and until there were enough. @returns the failed responses */
async function failuresDuring(work: () => Promise<void>): Promise<readonly Answer[]> {
  let isDone = false;
  let rounds = 0;
  function* calls() {
    while (!isDone || rounds < CALLS_MEANWHILE / 3) {
      rounds += 1;
      yield { path: `/v1/lookup/${BAKERY}?enrich=true`, key };
      yield { path: "/v1/autocomplete?q=bakkerij", key };
      yield { path: "/v1/search?city=Proefdam&pageSize=50", key };
    }
  }
  const [{ answers, unanswered }] = await Promise.all([
    load(service, calls(), { connections: 8, pauseMs: 10 }),
    work().finally(() => {
      isDone = true;
    }),
  ]);
  expect(unanswered).toEqual([]);
  expect(answers.length).toBeGreaterThanOrEqual(CALLS_MEANWHILE);
  return answers.filter(({ status }) => status !== 200);
}

describe("during traffic", () => {
  it("a terminal import is served within 5 s without a failed call", async () => {
    expect((await look(NEWCOMER)).status).toBe(404);
    const failures = await failuresDuring(async () => {
      const { code, err } = await opzoek(["import", "jsonl", file], world.environment);
      expect(code, err).toBe(0);
      await until(
        "the new company is served",
        async () => (await look(NEWCOMER)).status === 200,
        SERVED_WITHIN_MS,
      );
      expect(jsonOf(await look(BAKERY))).toMatchObject({ name: "Bakkerij De Fabelkorst Anno Nu B.V." });
    });
    expect(failures).toEqual([]);
  });

  it("a rollback is served within 5 s without a failed call, and so is undoing it", async () => {
    const failures = await failuresDuring(async () => {
      for (const status of [404, 200]) {
        const { code, err } = await opzoek(["registry", "rollback"], world.environment);
        expect(code, err).toBe(0);
        await until(
          `the new company is answered with ${status}`,
          async () => (await look(NEWCOMER)).status === status,
          SERVED_WITHIN_MS,
        );
      }
    });
    expect(failures).toEqual([]);
    const servedCount = () =>
      service.log().filter(({ msg }) => msg === "a new registry snapshot is being served").length;
    await until("the log has the import and both rollbacks", () => servedCount() === 3);
  });
});

it("a service that started without a registry answers 503, and serves the first import", async () => {
  const empty = await makeWorld({ companies: [] });
  const { key: anyKey } = await empty.account("plenty");
  const waiting = await startService(empty);
  await until("it says how to import", () => waiting.program.err().includes("opzoek import"));
  const before = await ask(waiting, { path: `/v1/lookup/${BAKERY}`, key: anyKey });
  expect([before.status, before.headers["x-tokens-charged"]]).toEqual([503, "0"]);
  await empty.import(COMPANIES);
  await until(
    "the first import is served",
    async () => (await ask(waiting, { path: `/v1/lookup/${BAKERY}`, key: anyKey })).status === 200,
    SERVED_WITHIN_MS,
  );
});
