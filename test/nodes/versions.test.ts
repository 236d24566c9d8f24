/** Nodes of several versions on one state are shown by `opzoek doctor` and by a metric; a stopped one disappears. */
import { expect, it } from "vitest";
import { programVersion } from "../../src/app/release.ts";
import { scrape, valuesOf } from "../kit/metrics.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const OWN = programVersion();

const STORES = [
  ["embedded", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("versions") })],
] as const;

interface Check {
  readonly check: string;
  readonly condition: string;
  readonly found: string;
  readonly remedy?: string;
}

async function stateCheck(world: World): Promise<Check | undefined> {
  const { out } = await opzoek(["doctor", "--json"], world.environment);
  return (JSON.parse(out) as { readonly checks: readonly Check[] }).checks.find(
    ({ check }) => check === "state",
  );
}

/** The running service and its metrics. */
async function started(world: World, workers: string) {
  const environment = { ...world.environment, METRICS_PORT: "0", WORKERS: workers };
  const service = await startService({ environment });
  const address = await until(
    "the metrics are served",
    () => service.log().find(({ msg }) => msg === "metrics are served")?.address,
  );
  const port = Number(new URL(String(address)).port);
  return { service, nodes: async () => Object.fromEntries(valuesOf(await scrape(port), "opzoek_nodes")) };
}

it.each(variants(STORES, { ordinary: 1 }))("on the %s store", async (store, environment) => {
  const world = await makeWorld({ environment: await environment() });
  await world.account("plenty");
  expect(await stateCheck(world)).toMatchObject({
    condition: "good",
    found: expect.stringMatching(/running nodes: none$/),
  });
  // The processes of one node count once.
  const { service, nodes } = await started(world, store === "embedded" ? "1" : "2");
  await until("the node is recorded", async () => Object.keys(await nodes()).length > 0);
  expect(await nodes()).toEqual({ [`{version="${OWN}"}`]: 1 });
  expect(await stateCheck(world)).toMatchObject({
    condition: "good",
    found: expect.stringMatching(`running nodes: 1 with version ${OWN}$`),
  });

  await changeStored(world, `insert into nodes select 'other', '1.0.9', seen_at_ms from nodes`);
  expect(await nodes()).toEqual({ '{version="1.0.9"}': 1, [`{version="${OWN}"}`]: 1 });
  expect(await stateCheck(world)).toMatchObject({
    condition: "warning",
    found: `running nodes: 1 with version 1.0.9, 1 with version ${OWN}; this program has version ${OWN}`,
    remedy: expect.stringContaining("upgrade all nodes"),
  });

  expect(await service.end("SIGTERM")).toBe(0);
  expect(await storedRows(world, "select id, version from nodes")).toEqual([
    { id: "other", version: "1.0.9" },
  ]);
  // A node of another version than this program, such as one that was not restarted after an upgrade.
  expect(await stateCheck(world)).toMatchObject({ condition: "warning" });
});
