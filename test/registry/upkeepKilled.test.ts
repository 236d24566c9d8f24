/** A service that learns, or takes companies out of its registry, is killed: nothing is half written, and nothing is lost for good. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { learnedOrigin } from "../../src/company/learned.ts";
import { generateCompanies } from "../../src/demo/generateCompanies.ts";
import { namedLayers, readPointer } from "../../src/snapshot/directory.ts";
import { importFacts } from "../../src/snapshot/importFacts.ts";
import { openCurrentSnapshot } from "../../src/snapshot/openSnapshot.ts";
import { readCursor } from "../../src/snapshot/upkeep/learnedCursor.ts";
import { verifyAnew } from "../../src/snapshot/verified.ts";
import { bundled } from "../kit/bundled.ts";
import { sourcedFacts, temporaryFolder } from "../kit/registry.ts";
import { amount } from "../kit/thorough.ts";
import { BATCHES, STATE, WORK } from "./upkeepSteps.ts";

const COMPANIES = 200;
/** How many moments of each kind of work are tried. */
const MOMENTS = amount({ ordinary: 6, thorough: 25 });
const AT_ONCE = 3;
const layering = { mostShare: 0.9, mostSegments: 9, segmentsOfTier: 9, lowestTier: 1_000 };

/** A process that does some work, and kills itself before one of its calls of the file system; without a moment it prints how many there are. */
const working = (directory: string, kind: keyof typeof WORK, moment: number) => `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let calls = 0;
  const step = () => { if (++calls === ${moment}) process.kill(process.pid, "SIGKILL"); };
  const { WORK } = await import(${JSON.stringify(program)});
  for (const name of ["openSync", "writeSync", "fsyncSync", "renameSync", "rmSync", "mkdirSync", "closeSync"]) {
    const real = fs[name];
    fs[name] = (...given) => { step(); return real(...given); };
  }
  syncBuiltinESMExports();
  await WORK.${kind}(${JSON.stringify(directory)}, step);
  console.log(calls);
`;

async function run(directory: string, kind: keyof typeof WORK, moment: number): Promise<string> {
  const script = working(directory, kind, moment);
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([code, signal]).toEqual(printed === "" ? [null, "SIGKILL"] : [0, null]);
  return printed.trim();
}

function namesIn(directory: string): readonly string[] {
  const snapshot = openCurrentSnapshot(directory);
  const names = [...(snapshot?.all() ?? [])].map(
    ({ company: { kvkNumber, name } }) => `${kvkNumber} ${name}`,
  );
  snapshot?.close();
  return names;
}

function bytesOf(directory: string): string {
  const files = readdirSync(directory).filter((name) => /\.(sqlite|names)$/.test(name));
  return files.map((name) => readFileSync(join(directory, name), "latin1")).join("\n");
}

/** A registry that each moment gets a copy of. */
const prepared = join(process.env["TMPDIR"] ?? "/tmp", `opzoek-upkeep-killed-${process.pid}`);
/** What a working process runs. */
let program: string;

beforeAll(async () => {
  program = await bundled(join(import.meta.dirname, "upkeepSteps.ts"));
  const add = (facts: readonly SourcedFacts[]) => importFacts(prepared, facts, { replace: false, layering });
  await add([
    ...generateCompanies({ companies: COMPANIES, seed: 1 }),
    sourcedFacts(1, { name: "Uit de Basis" }),
  ]);
  await add([sourcedFacts(10, { name: "Uit het Segment" })]);
  await add([sourcedFacts(11, {}, { origin: learnedOrigin("kvk-api") })]);
  return () => rmSync(prepared, { recursive: true, force: true });
});

/** Kills it at a moment, looks at what is left, and does it again. @returns whether it was as before */
async function kill(kind: keyof typeof WORK, moment: number, expected: readonly string[]): Promise<boolean> {
  const directory = temporaryFolder();
  cpSync(prepared, directory, { recursive: true });
  expect(await run(directory, kind, moment), `moment ${moment}`).toBe("");
  const pointer = readPointer(directory);
  if (pointer === undefined) throw new Error("the pointer is gone");
  await verifyAnew(directory, pointer.current);
  if (pointer.previous !== undefined) await verifyAnew(directory, pointer.previous);
  const left = namesIn(directory);
  // All of a batch, or nothing of it.
  const before = namesIn(prepared);
  const first = expected.filter((name) => !name.startsWith("60000002"));
  expect([before, first, expected].map((names) => names.join())).toContain(left.join());
  await WORK[kind](directory);
  expect(namesIn(directory)).toEqual(expected);
  if (kind === "learning") expect(readCursor(directory, STATE)).toEqual({ mark: BATCHES });
  else expect(bytesOf(directory)).not.toMatch(/Uit de Basis|Uit het Segment/);
  const named = new Set(namedLayers(readPointer(directory)).map(({ file }) => file));
  const files = readdirSync(directory).filter((name) => /^(snapshot|segment)-.*\.sqlite$/.test(name));
  if (kind === "withdrawing") expect(files.sort()).toEqual([...named].sort());
  expect(readdirSync(directory)).not.toContain("building");
  return left.join() === before.join();
}

describe("a process that is killed while it keeps a registry up", () => {
  it.each(["learning", "withdrawing"] as const)(
    "by %s leaves a whole registry, and the next one does what is left to do",
    async (kind) => {
      const done = temporaryFolder();
      cpSync(prepared, done, { recursive: true });
      const calls = Number(await run(done, kind, 0));
      expect(calls).toBeGreaterThan(MOMENTS);
      const expected = namesIn(done);
      expect(expected).not.toEqual(namesIn(prepared));
      const moments = Array.from(
        { length: MOMENTS },
        (_, nth) => 1 + Math.floor((nth * (calls - 1)) / (MOMENTS - 1)),
      );
      const outcomes: boolean[] = [];
      const left = moments.values();
      const killing = async () => {
        for (const moment of left) outcomes.push(await kill(kind, moment, expected));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, killing));
      expect(outcomes).toHaveLength(MOMENTS);
      expect(new Set(outcomes).size).toBe(2);
    },
    300_000,
  );
});
