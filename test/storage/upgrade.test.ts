/** Only the service and `state migrate` upgrade an older state; every other command leaves it unchanged. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/database/migrations/all.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Program, type ProgramResult, startProgram } from "../kit/program.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const SOURCES = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const NEXT_VERSION = fileURLToPath(new URL("../kit/nextVersion.ts", import.meta.url));
/** The last migration of this version. */
const PRESENT_CHANGE = Object.keys(MIGRATIONS).at(-1);
const NEXT_CHANGE = "9000_9.1.0_notes";

const run = (words: readonly string[], { environment }: World): Promise<ProgramResult> =>
  opzoek(words, environment);
const startNext = (words: readonly string[], { environment }: World, change = NEXT_CHANGE): Program =>
  startProgram(process.execPath, ["--import", NEXT_VERSION, SOURCES, ...words], {
    env: { ...environment, NEXT_CHANGE: change },
  });
const runNext = (words: readonly string[], world: World, change = NEXT_CHANGE): Promise<ProgramResult> =>
  startNext(words, world, change).ended;

const EMPTY = "/dev/null";

const STORES: readonly [string, () => Promise<Readonly<Record<string, string>>>][] = [
  ["the embedded state", async () => ({})],
  ["PostgreSQL", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("upgrade") })],
];

describe.each(variants(STORES, { ordinary: 1 }))("a state of an older version, %s", (_store, settings) => {
  it.each(
    variants(
      [
        "account list",
        "account create --email new@fabel.example --tier plenty",
        "key list --account acc_0",
        "usage acc_0",
        "lookup 90000021",
        "search fabel",
        `import csv ${EMPTY}`,
        "state export",
        "forget 90000021",
      ],
      { ordinary: 1 },
    ),
  )("is refused by `opzoek %s`, which names the command that upgrades it", async (words) => {
    const world = await makeWorld({ environment: await settings() });
    await world.account("plenty");
    const { code, err } = await runNext(words.split(" "), world);
    expect(err).toContain(`its last change is ${PRESENT_CHANGE}, this version's is ${NEXT_CHANGE}`);
    expect(err).toContain('"opzoek state migrate"');
    expect(code).toBe(1);
    expect(await run(["account", "list"], world)).toMatchObject({ code: 0 });
  });

  it("is upgraded once by `opzoek state migrate`; the previous version then reports the version it needs", async () => {
    const world = await makeWorld({ environment: await settings() });
    await world.account("plenty");
    expect(await runNext(["state", "migrate"], world)).toMatchObject({
      code: 0,
      out: `The state was upgraded from ${PRESENT_CHANGE} to ${NEXT_CHANGE}.\n`,
    });
    expect(await runNext(["state", "migrate"], world)).toMatchObject({
      code: 0,
      out: "The state is up to date.\n",
    });
    expect(await runNext(["account", "list"], world)).toMatchObject({ code: 0 });
    const { code, err } = await run(["account", "list"], world);
    expect(code).toBe(1);
    expect(err).toContain("start opzoek 9.1.0 or later, or restore the backup from before the upgrade");
  });

  it("is refused when an unreleased build of this version has upgraded it, with the remedy", async () => {
    const world = await makeWorld({ environment: await settings() });
    await world.account("plenty");
    const change = "0009_1.1.0_watching";
    expect(await runNext(["state", "migrate"], world, change)).toMatchObject({ code: 0 });
    for (const words of [
      ["account", "list"],
      ["state", "migrate"],
    ]) {
      const { code, err } = await run(words, world);
      expect(code).toBe(1);
      expect(err).toContain(`written by an unreleased build of opzoek 1.1.0 (its last change is ${change})`);
      expect(err).toContain("restore the backup from before that build, or start with an empty DATA_DIR");
    }
  });

  thoroughIt("is upgraded by starting the service, which logs it", async () => {
    const world = await makeWorld({ environment: await settings() });
    await world.account("plenty");
    const service = startNext(["serve"], world);
    await until("the service listens", () => service.out().includes('"listening"'));
    expect(service.out()).toContain(`"msg":"state upgraded from ${PRESENT_CHANGE} to ${NEXT_CHANGE}"`);
    service.child.kill("SIGTERM");
    expect((await service.ended).code).toBe(0);
    expect(await runNext(["account", "list"], world)).toMatchObject({ code: 0 });
  });

  thoroughIt("is reported by `opzoek doctor`", async () => {
    const world = await makeWorld({ environment: await settings() });
    await world.account("plenty");
    const { out } = await runNext(["doctor"], world);
    expect(out).toMatch(new RegExp(`state.*older version.*${NEXT_CHANGE}`));
    expect(await run(["account", "list"], world)).toMatchObject({ code: 0 });
  });
});

it("a running service prevents an upgrade of its embedded state", async () => {
  const world = await makeWorld();
  await world.account("plenty");
  const service = await startService(world);
  const { code, err } = await runNext(["state", "migrate"], world);
  expect(code).toBe(1);
  expect(err).toContain("is in use by `opzoek serve`");
  expect(await service.end("SIGTERM")).toBe(0);
});
