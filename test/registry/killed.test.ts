import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { generateCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { namedLayers, readPointer } from "../../src/registry/directory.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import type { Pointer } from "../../src/registry/info.ts";
import { namesPathOf } from "../../src/registry/names/storedNames.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { verifyAnew } from "../../src/registry/verified.ts";
import { bundled } from "../kit/bundled.ts";
import { sourcedFacts, temporaryFolder } from "../kit/registry.ts";
import { amount } from "../kit/thorough.ts";

const COMPANIES = 400;
/** How many moments of each kind of import are tested. */
const MOMENTS = amount({ ordinary: 2, thorough: 50 });
const AT_ONCE = 3;

/** The kinds of import into the registry of 400 companies and a delta, by the maximum share of a delta. */
const KINDS = {
  "a new base": 0,
  "a larger delta": 0.9,
} satisfies Record<string, number>;

/**
 * A program that imports 20 companies, and kills itself before one of its file system calls or progress steps; without
 * a moment it prints their number.
 */
const importing = (directory: string, maxDeltaShare: number, moment: number) => `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let calls = 0;
  const step = () => { if (++calls === ${moment}) process.kill(process.pid, "SIGKILL"); };
  const { generateCompanies, importFacts } = await import(${JSON.stringify(program)});
  const facts = [...generateCompanies({ companies: ${COMPANIES}, seed: 1 })].slice(100, 120)
    .map((one) => ({ ...one, facts: { ...one.facts, name: "Na de Moord" } }));
  for (const name of ["openSync", "writeSync", "fsyncSync", "renameSync", "rmSync", "mkdirSync", "closeSync"]) {
    const real = fs[name];
    fs[name] = (...given) => { step(); return real(...given); };
  }
  syncBuiltinESMExports();
  function* stepped() { for (const one of facts) { step(); yield one; } }
  await importFacts(${JSON.stringify(directory)}, stepped(), {
    replace: false,
    maxDeltaShare: ${JSON.stringify(maxDeltaShare)},
    onProgress: step,
  });
  console.log(calls);
`;

/** Runs such a process and returns its output, which is empty if it was killed. */
async function run(directory: string, maxDeltaShare: number, moment: number): Promise<string> {
  const script = importing(directory, maxDeltaShare, moment);
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([code, signal]).toEqual(printed === "" ? [null, "SIGKILL"] : [0, null]);
  return printed.trim();
}

const namesIn = (directory: string) =>
  [...(openedOnce(directory) ?? [])].map(({ company: { kvkNumber, name } }) => `${kvkNumber} ${name}`);

function openedOnce(directory: string) {
  const snapshot = openCurrentSnapshot(directory);
  const all = snapshot === undefined ? undefined : [...snapshot.all()];
  snapshot?.close();
  return all;
}

/** A registry of a base and two segments, copied for each moment. */
const prepared = join(process.env["TMPDIR"] ?? "/tmp", `opzoek-killed-${process.pid}`);
let before: Pointer | undefined;
/** The program of an importing process. */
let program: string;

beforeAll(async () => {
  program = await bundled(join(import.meta.dirname, "importing.ts"));
  const maxDeltaShare = KINDS["a larger delta"];
  const facts = [...generateCompanies({ companies: COMPANIES, seed: 1 })];
  await importFacts(prepared, facts, { replace: true });
  for (const number of [1, 2])
    await importFacts(prepared, [sourcedFacts(number)], { replace: false, maxDeltaShare });
  before = readPointer(prepared);
  return () => rmSync(prepared, { recursive: true, force: true });
});

async function kill(maxDeltaShare: number, moment: number, expected: readonly string[][]): Promise<boolean> {
  const directory = temporaryFolder();
  cpSync(prepared, directory, { recursive: true });
  const printed = await run(directory, maxDeltaShare, moment);
  expect(printed, `moment ${moment}`).toBe("");
  const pointer = readPointer(directory);
  if (pointer === undefined) throw new Error("the pointer is missing");
  await verifyAnew(directory, pointer.current);
  if (pointer.previous !== undefined) await verifyAnew(directory, pointer.previous);
  const [old, renewed] = expected;
  const isOld = pointer.current.sha256 === before?.current.sha256;
  expect(namesIn(directory)).toEqual(isOld ? old : renewed);
  if (isOld) expect(pointer).toEqual(before);

  // The next import removes leftovers.
  const next = await importFacts(directory, [sourcedFacts(3)], { replace: false, maxDeltaShare });
  expect(next.snapshot?.companies).toBe(pointer.current.companies + 1);
  const named = namedLayers(readPointer(directory)).map(({ file }) => file);
  const known = [...new Set(named)].flatMap((file) => [file, namesPathOf(file)]);
  const left = readdirSync(directory).filter((name) => /^(snapshot|segment)-.*\.(sqlite|names)/.test(name));
  expect(left.sort()).toEqual(known.sort());
  expect(readdirSync(directory)).not.toContain("building");
  return isOld;
}

describe("an import that is killed", () => {
  it.each(Object.entries(KINDS))(
    "while it writes %s leaves a complete registry, and only leftovers that the next import removes",
    async (_, maxDeltaShare) => {
      const done = temporaryFolder();
      cpSync(prepared, done, { recursive: true });
      const calls = Number(await run(done, maxDeltaShare, 0));
      expect(calls).toBeGreaterThan(MOMENTS);
      const expected = [namesIn(prepared), namesIn(done)];
      expect(expected[0]).not.toEqual(expected[1]);
      const moments = Array.from(
        { length: MOMENTS },
        (__, nth) => 1 + Math.floor((nth * (calls - 1)) / (MOMENTS - 1)),
      );
      const outcomes: boolean[] = [];
      const work = moments.values();
      const killing = async () => {
        for (const moment of work) outcomes.push(await kill(maxDeltaShare, moment, expected));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, killing));
      expect(outcomes).toHaveLength(MOMENTS);
      expect(outcomes).toContain(true);
    },
    300_000,
  );
});
