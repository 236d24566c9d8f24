import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { exportLines } from "../../src/import/export/exportLines.ts";
import { writePointer } from "../../src/registry/directory.ts";
import { LAYOUT_VERSION } from "../../src/registry/layout.ts";
import { layoutOf } from "../../src/registry/openSnapshot.ts";
import { PublishedRegistry } from "../../src/registry/published/publishedRegistry.ts";
import { following, makeTestKeys, publish, sha256 } from "../kit/published.ts";
import { add, companyFacts, current, sourcedFacts, temporaryFolder } from "../kit/registry.ts";

/**
 * A registry as the program wrote it that knew layout 1: company 1 with 12 employees of kvk-api, company 2 with 5 of kvk-api
 * and, later, 7 of gleif, company 3 with nothing but a name.
 */
function registryOfLayout1(): string {
  const directory = temporaryFolder();
  const bytes = gunzipSync(readFileSync(new URL("layout1.sqlite.gz", import.meta.url)));
  writeFileSync(join(directory, "snapshot-1.sqlite"), bytes);
  const info = { number: 1, file: "snapshot-1.sqlite", sha256: sha256(bytes), bytes: bytes.length };
  writePointer(directory, {
    current: { ...info, companies: 3, branches: 0, origins: [], createdAt: "2026-11-21T00:00:00.000Z" },
  });
  return directory;
}

const employeesIn = (directory: string) =>
  [...current(directory).all()].map(({ company }) => company.employees);

it("a snapshot of layout 1 is served and exported, its employees as a total", () => {
  const directory = registryOfLayout1();
  expect(layoutOf(join(directory, "snapshot-1.sqlite"), current(directory).info)).toBe(1);
  expect(employeesIn(directory)).toEqual([{ total: 12 }, { total: 7 }, undefined]);
  expect(current(directory).factsOf(companyFacts(2).kvkNumber, "kvk-api")?.facts.employees).toEqual({
    total: 5,
  });
  expect([...exportLines(current(directory), "jsonl")][0]).toContain('"employees":{"total":12}');
  expect(current(directory).autocomplete("oude na", 8)).toMatchObject([{ matchedName: "Oude Naam" }]);
});

it("it is added to, and what comes out has the layout of today", async () => {
  const directory = registryOfLayout1();
  const later = { origin: "kvk-api", asOf: "2026-07-01T00:00:00.000Z" };
  const employees = { total: 9, fullTime: 6, partTime: 3 };
  await add(directory, sourcedFacts(2, { employees }, later), sourcedFacts(4));
  expect(employeesIn(directory)).toEqual([{ total: 12 }, employees, undefined, undefined]);
  const { info } = current(directory);
  expect(layoutOf(join(directory, info.file), info)).toBe(LAYOUT_VERSION);
});

it("it is published as what it is, so that nodes of the version before can follow until there is a newer one", async () => {
  const directory = registryOfLayout1();
  const [target, follower] = [temporaryFolder(), temporaryFolder()];
  const keys = makeTestKeys();
  expect((await publish(directory, target, keys)).manifest.layout).toBe(1);
  const done = await new PublishedRegistry(following(follower, target, keys)).round(
    new AbortController().signal,
  );
  expect(done).toMatchObject({ did: "took" });
  expect(employeesIn(follower)).toEqual([{ total: 12 }, { total: 7 }, undefined]);
  await add(directory, sourcedFacts(4));
  expect((await publish(directory, target, keys)).manifest.layout).toBe(LAYOUT_VERSION);
});
