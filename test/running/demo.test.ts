/** The demo: works at once, keeps its data, and is for this machine only. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { Company } from "../../src/contract/resources.ts";
import { demoCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { numberKnownToVies } from "../../src/demo/vies/holders.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

/** On a busy machine the simulated VIES may be slower than the real one. */
const PATIENT = { VIES_DEADLINE_MS: "30000" };

/** The demo's output: `tier key` lines and the curl lines. */
async function welcome(service: Service): Promise<{ keys: Map<string, string>; curls: string[] }> {
  await until("the demo says how to stop it", () => service.program.err().includes("Ctrl-C"));
  const lines = service.program.err().split("\n");
  const keys = new Map<string, string>();
  for (const line of lines) {
    const [, tier, key] = /^ {2}([a-z]+) +(opz_(?:live|test)_\w+)$/.exec(line) ?? [];
    if (tier !== undefined && key !== undefined) keys.set(tier, key);
  }
  return { keys, curls: lines.filter((line) => line.trim().startsWith("curl ")) };
}

/** The registry generated for the first test, which takes most of a start. */
let generated = "";

it("the demo serves 25,000 companies with a key for each tier, and a second start keeps keys and ledger", async () => {
  // Public keys must never reach a shared state: nothing listens there, and nothing connects.
  const elsewhere = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", ...PATIENT };
  const world = await makeWorld({ companies: [], environment: elsewhere });
  await awayFromMonthEnd();
  const first = await startService(world, ["demo"]);
  const { keys, curls } = await welcome(first);
  expect([...keys.keys()]).toEqual(expect.arrayContaining(["free", "starter", "pro", "test"]));
  const listening = first.log().find(({ msg }) => msg === "listening");
  expect(listening).toMatchObject({ companies: 25_000 });
  // A service with worker threads logs their number.
  expect(listening).not.toHaveProperty("threads");
  const pro = keys.get("pro");
  const calls = curls.filter((curl) => curl.includes("Authorization"));
  expect([calls.length, curls.length]).toEqual([4, 5]);
  for (const curl of calls) {
    const url = /(http:\/\/[^" ]+)"?$/.exec(curl)?.[1] ?? "";
    expect(url.startsWith(first.address)).toBe(true);
    expect(curl).toContain(`Bearer ${pro}`);
    const answer = await ask(first, { path: url.slice(first.address.length), key: pro });
    expect(answer.status).toBe(200);
  }
  const before = jsonOf(await ask(first, { path: "/v1/usage", key: pro }));
  expect(before).toMatchObject({ tier: "pro", tokens: { used: 3 } });
  expect([keys.get("pro"), keys.get("test")]).toEqual([
    expect.stringMatching(/^opz_live_/),
    expect.stringMatching(/^opz_test_/),
  ]);
  const tested = await ask(first, { path: "/v1/lookup/99990001", key: keys.get("test") });
  expect([tested.status, jsonOf(tested)]).toEqual([200, expect.objectContaining({ kvkNumber: "99990001" })]);
  expect(await first.end("SIGINT")).toBe(0);

  const second = await startService(world, ["demo"]);
  expect((await welcome(second)).keys).toEqual(keys);
  const after = jsonOf(await ask(second, { path: "/v1/usage", key: pro }));
  expect(after).toMatchObject({ tier: "pro", tokens: { used: 3 } });
  expect(await second.end("SIGTERM")).toBe(0);
  generated = registryDirectory(join(world.dataDir, "demo"));

  // The command for real services must not serve the demo's keys either.
  const environment = {
    ...world.environment,
    DATABASE_URL: "",
    DATA_DIR: join(world.dataDir, "demo"),
    HOST: "0.0.0.0",
  };
  const { code, err } = await spawnOpzoek(["serve"], environment);
  expect(code).toBe(2);
  expect(err).toContain("HOST must be a loopback address");
});

it.each(variants(["0.0.0.0", "::", "192.0.2.1"], { ordinary: 1 }))(
  "the demo refuses HOST=%s, because its keys are public",
  async (host) => {
    const world = await makeWorld({ companies: [] });
    const { code, err, out } = await opzoek(["demo"], { ...world.environment, HOST: host });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("HOST");
    expect(err).toContain("loopback");
  },
);

thoroughIt(
  "the demo says that VIES is simulated, knows its companies there, and applies the documented fault",
  async () => {
    const world = await makeWorld({ companies: [], environment: PATIENT });
    if (generated !== "")
      cpSync(generated, registryDirectory(join(world.dataDir, "demo")), { recursive: true });
    await awayFromMonthEnd();
    const demo = await startService(world, ["demo"]);
    const { keys, curls } = await welcome(demo);
    const key = keys.get("pro");
    expect(demo.program.err()).toContain("VIES is simulated");

    const [validation = ""] = curls.filter((curl) => curl.includes("/v1/validate/vat/"));
    const path = /(\/v1\/validate[^" ]+)/.exec(validation)?.[1] ?? "";
    const live = jsonOf(await ask(demo, { path, key }));
    expect(live).toMatchObject({ status: "validated", valid: true, checksumValid: true });
    const company = companyWhere((facts) => path.includes(`NL${facts.rsin}B01`));
    expect(live).toHaveProperty("name", company.name.toUpperCase());

    const [, fault = "", url = ""] = /-X PUT -d '([^']+)' (\S+)$/.exec(curls.at(-1) ?? "") ?? [];
    expect((await fetch(url, { method: "PUT", body: fault })).status).toBe(200);
    expect(jsonOf(await ask(demo, { path, key }))).toMatchObject({ ...(live as object), status: "stale" });
    expect((await fetch(url, { method: "DELETE" })).status).toBe(200);

    const isRefused = (facts: CompanyFacts) =>
      facts.isActive && numberKnownToVies({ company: facts }) === undefined;
    const inUnit = companyWhere((facts) => facts.rsin !== undefined && isRefused(facts));
    const enriched = await until("VIES is queried again", async () => {
      const answer = jsonOf(await ask(demo, { path: `/v1/lookup/${inUnit.kvkNumber}?enrich=true`, key }));
      return (answer as Company).source?.vies === "validated" && (answer as Company);
    });
    expect(enriched.rsin).toBe(inUnit.rsin);
    expect(enriched.vat).toMatchObject({ valid: false, status: "validated", origin: "rsin" });
    expect(await demo.end("SIGTERM")).toBe(0);
    // The simulator ended with it.
    await expect(fetch(url)).rejects.toThrow();
  },
);

/** The first company of the demo's registry that satisfies the condition. */
function companyWhere(holds: (facts: CompanyFacts) => boolean): CompanyFacts {
  for (const { facts } of demoCompanies()) {
    if (holds(facts)) return facts;
  }
  throw new Error("the demo has no such company");
}
