import { mkdirSync } from "node:fs";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../../src/demo/generateCompanies.ts";
import { DEMO_AS_OF } from "../../src/demo/numbers.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";
import { NameSet } from "./nameSet.ts";
import { type Half, halfOf, type NamedCompany } from "./names.ts";

/** Which companies a registry holds. */
export interface RegistrySize {
  /** So many generated ones, */
  readonly companies: number;
  /** and these. */
  readonly beside: readonly NamedCompany[];
}

/**
 * All companies of a registry in the order of their KVK numbers: who came first is told by it, and some engines show in
 * the order in which they were filled.
 */
export function* registryFacts({ companies, beside }: RegistrySize): Generator<SourcedFacts> {
  const waiting = [...beside]
    .sort((one, other) => Number(one.kvkNumber) - Number(other.kvkNumber))
    .map(namedFacts);
  let next = 0;
  for (const generated of generateCompanies({ companies, seed: DEMO_SEED })) {
    for (
      let one = waiting[next];
      one !== undefined && one.facts.kvkNumber < generated.facts.kvkNumber;
      one = waiting[next]
    ) {
      yield one;
      next++;
    }
    yield generated;
  }
  yield* waiting.slice(next);
}

function namedFacts({ kvkNumber, name }: NamedCompany): SourcedFacts {
  return { origin: "import:names", asOf: DEMO_AS_OF, facts: { kvkNumber, name, isActive: true } };
}

/** What one reading of the registry gives for the queries. */
export interface Surveyed {
  readonly names: NameSet;
  /** Generated companies of the half that is asked for, spread over the registry. */
  readonly generated: readonly NamedCompany[];
  /** Some of the other half. */
  readonly others: readonly NamedCompany[];
}

/** Reads the registry once; `onProgress` hears how many companies were read. */
export function surveyRegistry(
  size: RegistrySize,
  { half, most, mostOthers }: { half: Half; most: number; mostOthers: number },
  onProgress: (done: number) => void,
): Surveyed {
  const names = new NameSet();
  const generated: NamedCompany[] = [];
  const others: NamedCompany[] = [];
  const step = Math.max(1, Math.floor(size.companies / (2 * most)));
  let done = 0;
  for (const { origin, facts } of registryFacts(size)) {
    for (const name of [facts.name, ...(facts.tradingNames ?? [])]) names.add(name);
    if (origin === GENERATED && done % step === 0) {
      const { kvkNumber, name } = facts;
      const [list, length] = halfOf(kvkNumber) === half ? [generated, most] : [others, mostOthers];
      if (list.length < length) list.push({ kvkNumber, name });
    }
    done++;
    if (done % REPORTED_EVERY === 0) onProgress(done);
  }
  return { names, generated, others };
}

const GENERATED = "demo";
const REPORTED_EVERY = 100_000;

/**
 * Opens the registry in a folder, which is filled first where it holds none.
 * @throws {Error} when it holds one of another size, which may be somebody's own
 */
export async function openRegistry(
  directory: string,
  size: RegistrySize,
  onProgress: (line: string) => void,
): Promise<SnapshotFile> {
  mkdirSync(directory, { recursive: true });
  const held = openCurrentSnapshot(directory);
  if (held !== undefined) {
    const { companies } = held.info;
    if (companies === size.companies + size.beside.length) return held;
    held.close();
    throw new Error(
      `the registry in ${directory} has ${companies} companies: delete it, or give another folder`,
    );
  }
  let stage = "";
  await importFacts(directory, registryFacts(size), {
    replace: true,
    onProgress: (progress) => {
      if (progress.stage !== stage) onProgress(`registry: ${progress.stage}`);
      stage = progress.stage;
    },
  });
  const opened = openCurrentSnapshot(directory);
  if (opened === undefined) throw new Error(`there is no registry in ${directory}`);
  return opened;
}
