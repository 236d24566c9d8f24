/** A start that cannot succeed fails early, with a line that names the cause and the remedy. */
import { closeSync, openSync, readdirSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { inject } from "../kit/answer.ts";
import { BAKERY, COMPANIES, kvkNumber } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

describe("an invalid setting ends the start with exit code 2 and a line that names it", () => {
  const badTiers = (text: string) => {
    const path = join(temporaryFolder(), "tiers.json");
    writeFileSync(path, text);
    return path;
  };
  it.each<[string, () => string, RegExp]>([
    ["PORT", () => "http", /whole number from 0 to 65535/],
    ["PORT", () => "70000", /65535/],
    ["WORKERS", () => "0", /whole number/],
    ["DATABASE_URL", () => "mysql://nowhere.example", /postgres/],
    ["LOG_LEVEL", () => "loud", /debug, info/],
    ["TRUST_PROXY", () => "my-proxy", /10\.0\.0\.0\/8/],
    ["PUBLIC_URL", () => "ftp://fabel.example", /https?:\/\//],
    ["KEYLESS_PER_MINUTE", () => "0", /whole number/],
    [
      "TIERS_FILE",
      () => join(temporaryFolder(), "absent.json"),
      /readable JSON file.*\/absent\.json \(ENOENT\)$/m,
    ],
    ["TIERS_FILE", () => badTiers("{"), /\/tiers\.json \(it is not JSON\)$/m],
    ["TIERS_FILE", () => badTiers('{"gold": {"monthlyTokens": -1, "ratePerMinute": 1}}'), /gold/],
    ["TIERS_FILE", () => badTiers('{"gold": {"monthlyTokens": 1}}'), /gold/],
  ])("%s %#", async (name, value, rule) => {
    const environment = { ...world.environment, [name]: value() };
    const { code, err, out } = await opzoek(["serve"], environment);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(new RegExp(`^opzoek: ${name} `, "m"));
    expect(err).toMatch(rule);
    expect(err.trim().split("\n").length).toBe(1);
  });
});

it("an unreachable database with --no-wait ends the start with exit code 1 and a line without its password", async () => {
  // Refuses connections at once: only root may listen there.
  const DATABASE_URL = "postgres://opzoek:tr0ub4dor@127.0.0.1:1/opzoek";
  const { code, err, out } = await spawnOpzoek(["serve", "--no-wait"], {
    ...world.environment,
    DATABASE_URL,
  });
  expect(code).toBe(1);
  expect(err).toMatch(
    /^opzoek: the database of DATABASE_URL cannot be used \(connect ECONNREFUSED [^)]*\): check /,
  );
  expect(err.trim().split("\n").length).toBe(1);
  expect(err + out).not.toContain("tr0ub4dor");
});

it("a taken port ends the start with exit code 1 and a hint to choose another", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { code, err } = await spawnOpzoek(["serve"], { ...world.environment, PORT: String(port) });
  await new Promise((resolve) => holder.close(resolve));
  expect(code).toBe(1);
  expect(err).toContain(`port ${port}`);
  expect(err).toMatch(/PORT=/);
  expect(err).not.toMatch(/^\s+at /m);
});

it("an unknown command or option is a usage error: exit code 2", async () => {
  for (const words of [["srve"], ["serve", "--port", "1"], ["account", "create"], ["usage"]]) {
    expect((await opzoek(words, world.environment)).code).toBe(2);
  }
});

/** Overwrites bytes in the middle of a file. */
function scratch(path: string, bytes = 64): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, Math.floor(statSync(path).size / 2));
  closeSync(file);
}

const NEWCOMER: SourcedFacts = {
  origin: "import:fabel",
  asOf: "2026-03-03T00:00:00.000Z",
  facts: { kvkNumber: kvkNumber("50000010"), name: "Nieuwkomer Sage B.V.", isActive: true },
};

describe("a damaged snapshot", () => {
  it.each<[string, (path: string) => void]>([
    ["truncated", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["changed in the middle", (path) => scratch(path)],
    ["empty", (path) => truncateSync(path, 0)],
  ])("that is %s stops the start with a remedy that works", async (_how, damage) => {
    const damaged = await makeWorld();
    const { key } = await damaged.account("plenty");
    await damaged.import([NEWCOMER]);
    const registry = join(damaged.dataDir, "registry");
    // The import before it is the base of the newest one, a segment.
    const newest = readdirSync(registry).find((name) => /^(snapshot|segment)-2\.sqlite$/.test(name));
    damage(join(registry, newest ?? ""));
    const { code, err } = await opzoek(["serve"], damaged.environment);
    expect(code).toBe(1);
    expect(err).toContain(newest ?? "a snapshot");
    expect(err).toContain("opzoek registry rollback");
    expect(err).toContain("--replace");
    expect(err).not.toMatch(/^\s+at /m);

    expect((await opzoek(["registry", "rollback"], damaged.environment)).code).toBe(0);
    const { app } = await composeInProcess(damaged);
    expect((await inject(app, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
  });

  it("that both imports depend on is reported as having no previous one, and is replaced", async () => {
    const damaged = await makeWorld();
    const { key } = await damaged.account("plenty");
    await damaged.import([NEWCOMER]);
    truncateSync(join(damaged.dataDir, "registry", "snapshot-1.sqlite"), 4_096);
    const { code, err } = await opzoek(["registry", "rollback"], damaged.environment);
    expect([code, err]).toEqual([1, expect.stringMatching(/snapshot-1\.sqlite.* --replace/s)]);

    await importFacts(registryDirectory(damaged.dataDir), COMPANIES, { replace: true });
    const { app } = await composeInProcess(damaged);
    expect((await inject(app, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
  });
});

describe("a damaged state file", () => {
  it.each<[string, (path: string) => void]>([
    ["truncated", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["changed in the middle", (path) => scratch(path, 8_192)],
    ["not a state", (path) => writeFileSync(path, "not a database, whatever its name says. ".repeat(400))],
  ])("that is %s stops the start with a line that names the remedy", async (_how, damage) => {
    const damaged = await makeWorld({ companies: COMPANIES.slice(0, 3) });
    await damaged.account("plenty");
    damage(join(damaged.dataDir, "state.sqlite"));
    const { code, err } = await opzoek(["serve"], damaged.environment);
    expect(code).toBe(1);
    expect(err).toContain("state.sqlite");
    expect(err).toMatch(/backup/);
    expect(err).not.toMatch(/^\s+at /m);
  });
});
