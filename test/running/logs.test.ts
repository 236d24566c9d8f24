/** Logs record events and nothing of callers' input. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeKey } from "../../src/contract/keyForm.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

it("logs have a line for each request with the route's pattern, and no key, path, query or body", async () => {
  const world = await makeWorld({ environment: { LOG_LEVEL: "debug" } });
  const { key, id } = await world.account("plenty");
  const unknownKey = makeKey("live", (count) => new Uint8Array(count).fill(11));
  const service = await startService(world);
  const calls = [
    { path: `/v1/lookup/${BAKERY}`, key },
    { path: `/v1/lookup/${BAKERY}?enrich=true&apikey=${key}` },
    { path: `/v1/lookup/${UNKNOWN}`, key },
    { path: `/v1/lookup/wrong-${BAKERY}`, key },
    { path: `/v1/lookup/%zz-${BAKERY}?apikey=${key}` },
    { path: `/v1/lookup/${key}`, key },
    { path: "/v1/autocomplete?q=zoekterm-zeldzaam", key },
    { path: `/v1/autocomplete?zoekterm-zeldzaam=1&apikey=${key}` },
    { path: "/v1/nergens/zoekterm-zeldzaam", key },
    { path: `/v1/nergens/${key}` },
    { path: `/v1/usage?apikey=${unknownKey}` },
    { path: "/v1/usage", key: unknownKey },
    { path: "/v1/health?zoekterm-zeldzaam", key },
    { method: "POST", path: "/v1/lookup/batch", key, body: { kvkNumbers: ["zoekterm-zeldzaam"] } },
    { method: "POST", path: "/v1/lookup/batch", key, body: '{"zoekterm-zeldzaam' },
    { method: "DELETE", path: `/v1/lookup/${BAKERY}`, key },
  ];
  const requestIds: (string | undefined)[] = [];
  for (const call of calls) requestIds.push((await ask(service, call)).headers["x-request-id"]);
  const lines = () => service.log().filter((line) => "requestId" in line);
  await until("every request has its line", () => lines().length >= calls.length);
  expect(await service.end("SIGTERM")).toBe(0);

  expect(lines().map(({ requestId }) => requestId)).toEqual(requestIds);
  const [first] = lines();
  expect(first).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    requestId: requestIds[0],
    method: "GET",
    route: "/v1/lookup/:kvkNumber",
    status: 200,
    durationMs: expect.any(Number),
    operation: "lookup",
    accountId: id,
  });
  const written = service.program.out() + service.program.err();
  for (const secret of [key, key.slice(9, 30), key.slice(-12), unknownKey, unknownKey.slice(9, 30)]) {
    expect(written).not.toContain(secret);
  }
  for (const sent of ["zoekterm", "zeldzaam", BAKERY, UNKNOWN, "wrong", "nergens", "%zz"]) {
    expect(written).not.toContain(sent);
  }
});

/**
 * The log lines of a separate program that opens the log and runs these statements. To a file: at exit a pipe is
 * flushed for half a second, which a reader on a busy machine may exceed.
 */
function linesOf(statements: string): Record<string, unknown>[] {
  const log = JSON.stringify(new URL("../../src/app/log/log.ts", import.meta.url));
  const opened = 'openLog({ LOG_LEVEL: "info" })';
  const program = `import { openLog } from ${log}; const { logger } = ${opened}; ${statements}`;
  const path = join(temporaryFolder(), "log");
  const fd = openSync(path, "w");
  spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", fd, "ignore"],
  });
  closeSync(fd);
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it("logs have every line complete and in order", () => {
  const lines = linesOf(
    "for (let place = 0; place < 20_000; place++) logger.info({ place, text: 'é'.repeat(place % 300) });",
  );
  expect(lines.map(({ place }) => place)).toEqual(Array.from({ length: 20_000 }, (_, place) => place));
  expect(lines.every(({ place, text }) => String(text).length === Number(place) % 300)).toBe(true);
});

it("logs have the lines written before an uncaught error", () => {
  const lines = linesOf("logger.info('before'); setImmediate(() => { throw new Error('uncaught'); });");
  expect(lines.map(({ msg }) => msg)).toEqual(["before"]);
});
