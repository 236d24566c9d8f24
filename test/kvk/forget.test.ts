/** A suppressed company is returned by nothing and stored nowhere, whatever happened before or happens after. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { readPointer } from "../../src/registry/directory.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { codeOf, jsonOf } from "../kit/answer.ts";
import { BAKERY, COMPANIES, FERRY } from "../kit/companies.ts";
import { batchIn, type OverKvk, paidCalls, serveOverKvk } from "../kit/kvk.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { makeTestKeys } from "../kit/published.ts";
import { bytesOf } from "../kit/registry.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { validationOf } from "../kit/vat.ts";
import { REGISTERED } from "../kit/vies.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

async function run({ world }: Pick<OverKvk, "world">, ...words: string[]) {
  // An export writes to the stdout of a process.
  const ended = await (words[0] === "export" ? spawnOpzoek : opzoek)(words, world.environment);
  return { ...ended, lines: ended.out.split("\n").filter((line) => line !== "") };
}

/** Suppresses a company and waits until the running service applies it. */
async function forget(over: OverKvk, kvkNumber: string, ...more: string[]): Promise<void> {
  const { code, err } = await run(over, "forget", kvkNumber, ...more);
  expect([code, err]).toEqual([0, expect.stringContaining(kvkNumber)]);
  await until(
    "the service applies it",
    async () => (await over.get(`/v1/lookup/${kvkNumber}`)).status === 404,
  );
}

async function isNowhere({ get, batch }: OverKvk, kvkNumber: string, name: string): Promise<void> {
  for (const path of ["", "?enrich=true", "/branches", "?maxAge=3600"]) {
    const answer = await get(`/v1/lookup/${kvkNumber}${path}`);
    expect([answer.status, codeOf(answer)]).toEqual([404, "NOT_FOUND"]);
  }
  for (const enrich of [false, true]) {
    expect(batchIn(await batch([kvkNumber], { enrich })).failed).toMatchObject([
      { error: { code: "NOT_FOUND" } },
    ]);
  }
  for (const q of [name, kvkNumber]) {
    const found = await get(`/v1/search?q=${encodeURIComponent(q)}`);
    expect(found.text).not.toContain(kvkNumber);
    expect((await get(`/v1/autocomplete?q=${encodeURIComponent(q)}`)).text).not.toContain(kvkNumber);
  }
}

describe("a company of a snapshot", () => {
  it("is removed from every response, command, export, import and rollback until it is taken off the list", async () => {
    const over = await serveOverKvk({ companies: COMPANIES });
    const { kvk, get } = over;
    expect((await get(`/v1/lookup/${BAKERY}?enrich=true`)).status).toBe(200);
    const before = await run(over, "export");
    expect(before.out).toContain(BAKERY);
    const calls = paidCalls(kvk);

    await forget(over, BAKERY);
    await isNowhere(over, BAKERY, "Fabelkorst");
    expect(jsonOf(await get("/v1/autocomplete?q=bakkerij&limit=1"))).toMatchObject({ results: [{}] });
    expect(paidCalls(kvk)).toBe(calls);
    expect((await get(`/v1/lookup/${FERRY}`)).status).toBe(200);
    expect((await run(over, "lookup", BAKERY)).code).toBe(1);
    expect((await run(over, "search", "Fabelkorst", "--json")).out).not.toContain(BAKERY);
    for (const format of ["jsonl", "csv"]) {
      const file = join(temporaryFolder(), format);
      expect((await opzoek(["export", "--format", format, "--out", file], over.world.environment)).code).toBe(
        0,
      );
      const exported = readFileSync(file, "utf8");
      expect(exported).not.toContain(BAKERY);
      expect(exported).toContain(FERRY);
    }
    expect((await run(over, "forget", "list")).lines).toEqual([expect.stringContaining(BAKERY)]);
    expect(JSON.parse((await run(over, "forget", "list", "--json")).out)).toMatchObject([
      { kvkNumber: BAKERY },
    ]);

    // A file that contains it is imported without it, and no file of rejects contains it.
    const folder = temporaryFolder();
    const [file, rejects] = [join(folder, "all.jsonl"), join(folder, "rejects.csv")];
    writeFileSync(file, before.out);
    const imported = await run(over, "import", "jsonl", file, "--rejects", rejects, "--json");
    expect(JSON.parse(imported.out)).toMatchObject({ skipped: 1 });
    expect(readFileSync(rejects, "utf8")).not.toContain("Fabelkorst");
    const snapshot = openCurrentSnapshot(registryDirectory(over.world.dataDir));
    expect(snapshot?.facts(BAKERY)).toBeUndefined();
    expect(snapshot?.facts(FERRY)).toBeDefined();
    snapshot?.close();
    await isNowhere(over, BAKERY, "Fabelkorst");

    // The previous snapshot, which contained it, is gone.
    expect(bytesOf(registryDirectory(over.world.dataDir))).not.toContain("Fabelkorst");
    expect((await run(over, "registry", "rollback")).code).toBe(1);

    expect((await run(over, "forget", "undo", BAKERY)).code).toBe(0);
    expect((await run(over, "import", "jsonl", file)).code).toBe(0);
    await until(
      "the company is returned again",
      async () => (await get(`/v1/lookup/${BAKERY}`)).status === 200,
    );
    expect((await run(over, "forget", "undo", BAKERY)).code).toBe(1);
  });
});

describe("opzoek registry rebuild", () => {
  thoroughIt("a suppressed company is removed from every file, next to a running service", async () => {
    const over = await serveOverKvk({ companies: COMPANIES });
    const directory = registryDirectory(over.world.dataDir);
    const file = join(temporaryFolder(), "again.jsonl");
    writeFileSync(file, (await run(over, "export")).out);
    expect((await run(over, "import", "jsonl", file, "--name", "again", "--as-of", "2026-06-01")).code).toBe(
      0,
    );
    await forget(over, BAKERY);
    await isNowhere(over, BAKERY, "Fabelkorst");
    expect(bytesOf(directory)).toContain("Fabelkorst");

    const rebuilt = await run(over, "registry", "rebuild");
    expect(rebuilt).toMatchObject({ code: 0, out: expect.stringMatching(/ companies, 1 removed\.$/m) });
    expect(bytesOf(directory).toLowerCase()).not.toContain("fabelkorst");
    expect(bytesOf(directory)).not.toContain(BAKERY);
    const { file: current } = readPointer(directory)?.current ?? {};
    await until("the service serves the new snapshot", () =>
      over.service.log().some((line) => line["file"] === current),
    );
    await isNowhere(over, BAKERY, "Fabelkorst");
    expect((await over.get(`/v1/lookup/${FERRY}`)).status).toBe(200);

    expect((await run(over, "registry", "rebuild")).out).toBe(
      `${current} is unchanged: it is a single file without forgotten companies.\n`,
    );
    expect((await run(over, "registry", "rollback")).code).toBe(1);
  });

  it("is refused without a registry, and for a copy of a published one", async () => {
    const world = await makeWorld({ companies: [] });
    expect(await run({ world }, "registry", "rebuild")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no registry in"),
    });
    const copy = {
      REGISTRY_URL: pathToFileURL(temporaryFolder()).href,
      REGISTRY_PUBLIC_KEY: makeTestKeys().publicText,
    };
    const ended = await opzoek(["registry", "rebuild"], { ...world.environment, ...copy });
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining("rebuild it where it is published")]);
  });
});

describe("a company from KVK", () => {
  it("is deleted from the cache, and not fetched from KVK again", async () => {
    const over = await serveOverKvk();
    const { kvk, service, get } = over;
    expect((await get("/v1/lookup/90000030?enrich=true")).status).toBe(200);
    expect((await get("/v1/search?q=postduif")).text).toContain("90000030");
    await forget(over, "90000030");
    const calls = paidCalls(kvk);
    await isNowhere(over, "90000030", "postduif");
    expect(paidCalls(kvk)).toBe(calls);
    expect(await service.end("SIGTERM")).toBe(0);
    const state = readFileSync(join(over.world.dataDir, "state.sqlite"));
    expect(state.includes("Postduif")).toBe(false);
  });
});

describe("the verdict on its VAT number", () => {
  it("is returned and stored without name and address", async () => {
    const over = await serveOverKvk({ vies: { companyOf: () => REGISTERED } });
    const { get } = over;
    const [number, other] = ["PL8567346215", "PL5260001246"];
    const nameOf = async (path: string) => (jsonOf(await get(path)) as { name?: string }).name;
    expect(await nameOf(validationOf(number))).toBeDefined();
    const { code } = await run(over, "forget", "90000010", "--vat-number", number);
    expect(code).toBe(0);
    await until("the service applies it", async () => (await nameOf(validationOf(number))) === undefined);
    for (const query of ["", "?maxAge=0", ""]) {
      const answer = jsonOf(await get(validationOf(number + query)));
      expect(answer).toMatchObject({ vatNumber: number, valid: true, status: "validated" });
      expect(answer).not.toHaveProperty("name");
      expect(answer).not.toHaveProperty("address");
    }
    expect(await nameOf(validationOf(other))).toBeDefined();
  });
});

it("an invalid number is refused with the exit code of a usage error", async () => {
  const world = await makeWorld({ companies: [] });
  const codes = [
    ["forget", "123"],
    ["forget", "90000010", "--vat-number", "x"],
    ["forget", "undo", "90000010"],
    ["forget"],
  ].map(async (words) => (await run({ world }, ...words)).code);
  expect(await Promise.all(codes)).toEqual([2, 2, 1, 2]);
});
