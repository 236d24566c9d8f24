/** The companies that are searched for, and the registry that holds them. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../../src/contract/numbers.ts";
import { DEMO_SEED, generateCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { DEMO_AS_OF } from "../../src/demo/registry/numbers.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";
import { NameSet } from "./nameSet.ts";

/** The public register of recognised sponsors: real company names. It is not part of the project. */
export const REAL_NAMES_FILE = fileURLToPath(
  new URL("../../../shared/data/names/ind-sponsors.csv", import.meta.url),
);

export interface NamedCompany {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
}

/** Returns each company in {@link REAL_NAMES_FILE} once; none if the file is absent. */
export function readRealNames(): readonly NamedCompany[] {
  if (!existsSync(REAL_NAMES_FILE)) return [];
  const rows: string[][] = parse(readFileSync(REAL_NAMES_FILE), { from_line: 2 });
  const companies = new Map<KvkNumber, NamedCompany>();
  for (const [number = "", name = ""] of rows) {
    const kvkNumber = parseKvkNumber(number);
    if (kvkNumber !== undefined) companies.set(kvkNumber, { kvkNumber, name });
  }
  return [...companies.values()];
}

/** To improve search, look at the misses of `tune` only; the figures come from `measured`. */
export const HALVES = ["tune", "measured"] as const;
export type Half = (typeof HALVES)[number];

/** Returns the half that a company belongs to, by the SHA-256 of its KVK number. */
export function halfOf(kvkNumber: KvkNumber): Half {
  const [first = 0] = createHash("sha256").update(kvkNumber).digest();
  return first % 2 === 0 ? "tune" : "measured";
}

/** The content of a registry. */
export interface RegistrySize {
  /** The number of generated companies. */
  readonly companies: number;
  readonly real: readonly NamedCompany[];
}

/** Yields all companies of a registry in the order of their KVK numbers. */
export function registryFacts({ companies, real }: RegistrySize): Generator<SourcedFacts> {
  return amongGenerated(
    real.map(({ kvkNumber, name }) => realFacts({ kvkNumber, name, isActive: true })),
    companies,
  );
}

/** The facts of a company of {@link REAL_NAMES_FILE}. */
export function realFacts(facts: CompanyFacts): SourcedFacts {
  return { origin: "import:names", asOf: DEMO_AS_OF, facts };
}

/** Yields real companies and `companies` generated ones in the order of their KVK numbers. */
export function* amongGenerated(real: readonly SourcedFacts[], companies: number): Generator<SourcedFacts> {
  const waiting = real.toSorted((one, other) => Number(one.facts.kvkNumber) - Number(other.facts.kvkNumber));
  for (const generated of generateCompanies({ companies, seed: DEMO_SEED })) {
    const { kvkNumber } = generated.facts;
    for (let one = waiting[0]; one !== undefined && one.facts.kvkNumber < kvkNumber; one = waiting[0]) {
      yield one;
      waiting.shift();
    }
    yield generated;
  }
  yield* waiting;
}

export interface Survey {
  readonly names: NameSet;
  /** Generated companies of each half, from all over the registry. */
  readonly generated: Readonly<Record<Half, readonly NamedCompany[]>>;
}

/**
 * Reads all companies of a registry once, without its files.
 * @param count generated companies of each half, at most
 */
export function surveyRegistry(size: RegistrySize, count: number): Survey {
  const names = new NameSet();
  const generated: Record<Half, NamedCompany[]> = { tune: [], measured: [] };
  const step = Math.max(1, Math.floor(size.companies / (2 * count)));
  let nth = 0;
  for (const { origin, facts } of registryFacts(size)) {
    const { kvkNumber, name, tradingNames = [] } = facts;
    for (const one of [name, ...tradingNames]) names.add(one);
    const half = halfOf(kvkNumber);
    const isSampled = nth++ % step === 0 && origin === "demo";
    if (isSampled && generated[half].length < count) generated[half].push({ kvkNumber, name });
  }
  return { names, generated };
}

/**
 * Opens the registry in a folder, and builds it first if the folder has none.
 * @param count the number of companies
 * @throws {Error} if the folder holds a registry of another size
 */
export async function openRegistryOf(
  directory: string,
  facts: Iterable<SourcedFacts>,
  count: number,
): Promise<SnapshotFile> {
  mkdirSync(directory, { recursive: true });
  let snapshot = openCurrentSnapshot(directory);
  if (snapshot === undefined) {
    await importFacts(directory, facts, { replace: true });
    snapshot = openCurrentSnapshot(directory);
  }
  const companies = snapshot?.info.companies ?? 0;
  if (snapshot !== undefined && companies === count) return snapshot;
  snapshot?.close();
  throw new Error(
    `The registry in ${directory} has ${companies} companies. Delete it or choose another folder.`,
  );
}
