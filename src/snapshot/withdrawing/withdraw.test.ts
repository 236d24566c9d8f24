import { readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { current, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import type { SourcedFacts } from "../../company/facts.ts";
import { learnedOrigin } from "../../company/learned.ts";
import { kvkNumberOf } from "../../contract/numbers.ts";
import { generateCompanies } from "../../demo/generateCompanies.ts";
import { readPointer } from "../directory.ts";
import { importFacts } from "../importFacts.ts";
import { takeLock } from "../lock.ts";
import { openCurrentSnapshot } from "../openSnapshot.ts";
import { rollback } from "../rollback.ts";
import { verifyAnew } from "../verified.ts";
import { withdraw } from "./withdraw.ts";

const LEARNED = learnedOrigin("kvk-api");
const OLD = "2025-01-01T00:00:00.000Z";
const YOUNG = "2026-01-01T00:00:00.000Z";
const BETWEEN = Date.parse("2025-06-01T00:00:00.000Z");
/** Every change a segment, until nine. */
const layering = { mostShare: 0.9, mostSegments: 9, segmentsOfTier: 9, lowestTier: 1_000 };
const nobody: ReadonlySet<string> = new Set();

const learned = (number: number, name: string, asOf: string, isPartial = false): SourcedFacts => ({
  ...sourcedFacts(number, { name }, { origin: LEARNED, asOf }),
  ...(isPartial && { isPartial }),
});

/** A base of some companies, some learned, and segments above it. */
async function layered(): Promise<string> {
  const directory = temporaryFolder();
  const add = (...facts: SourcedFacts[]) =>
    importFacts(directory, facts, { replace: false, layering, keepsPrevious: true });
  await add(
    ...generateCompanies({ companies: 40, seed: 3 }),
    sourcedFacts(1, { name: "Eigen Een" }, { origin: "import:list" }),
    sourcedFacts(2, { name: "Eigen Twee" }, { origin: "import:list" }),
    learned(3, "Oud Geleerd", OLD),
  );
  await add(learned(1, "Een Geleerd", YOUNG), learned(4, "Vier Vergeten", OLD));
  await add(learned(1, "Een Later", YOUNG), learned(3, "Oud Nog Ouder", "2025-02-01T00:00:00.000Z"));
  await add(learned(5, "Vijf Jong", YOUNG, true));
  return directory;
}

/** Every byte of the files of a registry. */
function bytesOf(directory: string): string {
  const files = readdirSync(directory).filter((name) => /\.(sqlite|names)$/.test(name));
  return files.map((name) => readFileSync(join(directory, name), "latin1")).join("\n");
}

function whatIsIn(directory: string) {
  const snapshot = openCurrentSnapshot(directory);
  const all = [...(snapshot?.all() ?? [])];
  const info = snapshot?.info;
  const finds = (q: string) => snapshot?.autocomplete(q, 8).map(({ name }) => name);
  const found = ["eigen", "geleerd", "vergeten", "jong", "later", "ouder"].map(finds);
  snapshot?.close();
  return {
    rows: all.map(({ company }) => [company.kvkNumber, company.name]),
    found,
    contents: [info?.companies, info?.branches, info?.origins],
  };
}

/** The names of the companies that are none of the demo's. */
const ownNames = (directory: string) =>
  whatIsIn(directory)
    .rows.filter(([number]) => /^5000000[0-9]$/.test(number ?? ""))
    .map(([, name]) => name);

/** The same facts in one new base: what the layers must tell. */
async function inOneBase(directory: string): Promise<string> {
  const other = temporaryFolder();
  const snapshot = openCurrentSnapshot(directory);
  const facts = [...(snapshot?.all() ?? [])].flatMap(({ company: { kvkNumber } }) => [
    ...(snapshot?.factsOfEach(kvkNumberOf(Number(kvkNumber))) ?? []),
  ]);
  snapshot?.close();
  await importFacts(other, facts, { replace: true });
  return other;
}

describe("taking companies out of a registry", () => {
  it("leaves nothing of what must be forgotten in any byte of any file, and all else as it was", async () => {
    const directory = await layered();
    const before = whatIsIn(directory);
    expect(bytesOf(directory)).toContain("Vier Vergeten");
    expect(
      await withdraw(directory, { forgotten: new Set(["50000004", "50000099"]), learnedBeforeMs: 0 }),
    ).toEqual({
      files: 1,
      companies: 1,
    });
    expect(bytesOf(directory)).not.toContain("Vier Vergeten");
    expect(bytesOf(directory)).not.toContain("vergeten");
    const after = whatIsIn(directory);
    expect(after.rows).toEqual(before.rows.filter(([number]) => number !== "50000004"));
    expect(after).toEqual(whatIsIn(await inOneBase(directory)));
    // One of the base takes the base.
    const files = () => readPointer(directory)?.current.layers?.map(({ file }) => file.split("-")[0]);
    expect(files()).toEqual(["snapshot", "segment", "segment", "segment"]);
    await withdraw(directory, { forgotten: new Set(["50000002"]), learnedBeforeMs: 0 });
    expect(bytesOf(directory)).not.toContain("Eigen Twee");
    expect(files()).toEqual(["snapshot", "segment", "segment", "segment"]);
    expect(whatIsIn(directory)).toEqual(whatIsIn(await inOneBase(directory)));
    const { current: info } = readPointer(directory) ?? {};
    if (info === undefined) throw new Error("the pointer is gone");
    await verifyAnew(directory, info);
    // The next import goes on with what is there.
    await importFacts(directory, [sourcedFacts(6)], { replace: false, layering });
    expect(current(directory).info.companies).toBe(info.companies + 1);
  });

  it("takes out what was learned before a moment, and leaves what others say of the same company", async () => {
    const directory = await layered();
    const gone = await withdraw(directory, { forgotten: nobody, learnedBeforeMs: BETWEEN });
    expect(gone).toEqual({ files: 3, companies: 2 });
    const bytes = bytesOf(directory);
    for (const name of ["Oud Geleerd", "Oud Nog Ouder", "Vier Vergeten"]) expect(bytes).not.toContain(name);
    expect(whatIsIn(directory)).toEqual(whatIsIn(await inOneBase(directory)));
    expect(ownNames(directory)).toEqual(["Een Later", "Eigen Twee", "Vijf Jong"]);

    await withdraw(directory, { forgotten: nobody, learnedBeforeMs: Date.parse(YOUNG) + 1 });
    expect(whatIsIn(directory)).toEqual(whatIsIn(await inOneBase(directory)));
    expect(ownNames(directory)).toEqual(["Eigen Een", "Eigen Twee"]);
    expect(current(directory).info.origins.map(({ origin }) => origin)).toEqual(["demo", "import:list"]);
    expect(await withdraw(directory, { forgotten: nobody, learnedBeforeMs: Date.parse(YOUNG) + 1 })).toEqual({
      files: 0,
      companies: 0,
    });
  });

  it("does the same to the snapshot that one may go back to", async () => {
    const directory = await layered();
    await importFacts(directory, [sourcedFacts(7)], { replace: false, layering });
    await withdraw(directory, { forgotten: new Set(["50000002", "50000004"]), learnedBeforeMs: 0 });
    expect(bytesOf(directory)).not.toContain("Eigen Twee");
    const now = whatIsIn(directory);
    await rollback(directory);
    expect(whatIsIn(directory).rows).toEqual(now.rows.filter(([number]) => number !== "50000007"));
    expect(whatIsIn(directory)).toEqual(whatIsIn(await inOneBase(directory)));
  });

  it("leaves a registry with nothing in it where nothing is left, which goes on from there", async () => {
    const directory = temporaryFolder();
    await importFacts(directory, [learned(1, "Alleen", OLD)], { replace: false });
    await withdraw(directory, { forgotten: nobody, learnedBeforeMs: BETWEEN });
    expect(whatIsIn(directory)).toMatchObject({ rows: [], contents: [0, 0, []] });
    expect(bytesOf(directory)).not.toContain("Alleen");
    await importFacts(directory, [learned(2, "Weer Een", YOUNG)], { replace: false, keepsPrevious: true });
    expect(whatIsIn(directory).rows).toEqual([["50000002", "Weer Een"]]);
  });

  it("makes no folder to build in where there is nothing to take out", async () => {
    const directory = await layered();
    await withdraw(directory, { forgotten: nobody, learnedBeforeMs: BETWEEN });
    const seen: string[] = [];
    const watcher = watch(directory);
    const allSeen = new Promise<void>((resolve) => {
      watcher.on("change", (_kind, name) => {
        seen.push(String(name));
        if (name === "last") resolve();
      });
    });
    await withdraw(directory, { forgotten: nobody, learnedBeforeMs: BETWEEN });
    writeFileSync(join(directory, "last"), "");
    await allSeen;
    watcher.close();
    expect(seen).not.toContain("building");
  });

  it("waits for nobody: while an import is at work it is refused", async () => {
    const directory = await layered();
    const lock = takeLock(directory);
    await expect(withdraw(directory, { forgotten: nobody, learnedBeforeMs: BETWEEN })).rejects.toThrow(
      "Another import",
    );
    lock.release();
    expect(await withdraw(temporaryFolder(), { forgotten: nobody, learnedBeforeMs: BETWEEN })).toEqual({
      files: 0,
      companies: 0,
    });
  });
});

describe("a row of a search", () => {
  it("counts only where nothing else is said, whatever its date and the order in which they come", async () => {
    const directory = temporaryFolder();
    const add = (...facts: SourcedFacts[]) => importFacts(directory, facts, { replace: false, layering });
    const nameOf = (number: number) =>
      whatIsIn(directory).rows.find(([kvk]) => kvk === String(50_000_000 + number))?.[1];
    await add(...generateCompanies({ companies: 40, seed: 3 }), learned(1, "Regel", YOUNG, true));
    expect(nameOf(1)).toBe("Regel");
    // Told before the search, learned after it.
    await add(learned(1, "Profiel", OLD));
    expect(readPointer(directory)?.current.layers).toHaveLength(2);
    expect(nameOf(1)).toBe("Profiel");
    await add(learned(1, "Regel Later", "2026-02-01T00:00:00.000Z", true));
    expect(nameOf(1)).toBe("Profiel");
    await add(sourcedFacts(2, { name: "Lijst" }, { origin: "import:list", asOf: OLD }));
    await add(learned(2, "Regel Twee", YOUNG, true));
    expect(nameOf(2)).toBe("Lijst");
  });
});
