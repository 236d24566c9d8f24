/** A failure of every call is logged when it begins and ends, not for each call. */
import pino from "pino";
import { expect, it } from "vitest";
import { errorFacts } from "../../src/app/log/errorFacts.ts";
import type { Registry } from "../../src/registry/types.ts";
import { inject } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const CALLS = 300;

/** Lost call records have a separate log line. */
const NO_LISTS = { RECENT_CALLS: "off" };

/** A log that stores its lines above `info`. */
function memoryLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => {
    const parsed = JSON.parse(line);
    if (parsed.level > 30 || parsed.msg !== undefined) lines.push(parsed);
  };
  const logger = pino({ base: null, serializers: { err: errorFacts } }, { write });
  return { lines, log: { logger, escaped() {}, flush: async () => {}, flushSoon: () => {} } };
}

it("an outage of PostgreSQL is logged at its start, and at its end with duration and number of refused calls", async () => {
  const server = await sharedPostgres();
  const proxy = await startDatabaseProxy(server.port);
  const world = await makeWorld({
    environment: { DATABASE_URL: proxy.through(await server.database("outages")), ...NO_LISTS },
  });
  const { lines, log } = memoryLog();
  const service = await composeInProcess(world, { log });
  const { key } = await service.account("plenty");
  const look = () => inject(service.app, { path: `/v1/lookup/${BAKERY}`, key });
  expect((await look()).status).toBe(200);
  proxy.shut();
  const answers = await Promise.all(Array.from({ length: CALLS }, look));
  for (let count = 0; count < CALLS; count++) answers.push(await look());
  const refused = answers.filter(({ status }) => status === 503).length;
  expect(refused).toBeGreaterThan(CALLS);
  expect(lines).toMatchObject([{ level: 50, msg: "the state store is unavailable: calls are refused" }]);
  proxy.open();
  let more = 0;
  await until("it answers again", async () => {
    const { status } = await look();
    if (status === 503) more += 1;
    return status === 200;
  });
  await until("it is logged", () => lines.length > 1);
  expect(lines.slice(1)).toMatchObject([
    {
      level: 30,
      msg: "the state store is available again",
      refused: refused + more,
      lastedMs: expect.any(Number),
    },
  ]);
});

it("a registry that fails every call is logged once a second, with the stack and the number of omitted lines", async () => {
  const broken: Registry = {
    get current(): never {
      throw new Error("the snapshot cannot be read");
    },
    close() {},
  };
  const { lines, log } = memoryLog();
  const service = await composeInProcess(await makeWorld({ environment: NO_LISTS }), {
    log,
    replace: () => ({ registry: broken }),
  });
  const { key } = await service.account("plenty");
  const startedMs = performance.now();
  for (let count = 0; count < CALLS; count++) {
    expect((await inject(service.app, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(500);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  await service.close();
  // Background work on monitors reads the registry too.
  const failed = lines.filter(({ msg }) => msg === "a call failed");
  expect(failed.length).toBeLessThanOrEqual(seconds + 2);
  expect(failed[0]).toMatchObject({ level: 50, err: { stack: expect.stringMatching(/cannot be read/) } });
  const leftOut = failed.reduce((sum, line) => sum + Number(line["leftOut"] ?? 0), 0);
  expect(failed.length + leftOut).toBe(CALLS);
});
