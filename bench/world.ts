/** A registry, accounts and keys in a folder of the run, made by the program itself. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Accounts } from "../src/accounts/accounts.ts";
import { openState } from "../src/app/compose/state.ts";
import { readSettings } from "../src/app/settings/settings.ts";
import { writeLines } from "../src/cli/output.ts";
import type { CompanyFacts, SourcedFacts } from "../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../src/demo/generateCompanies.ts";
import { Random } from "../src/demo/random.ts";
import { formatFacts } from "../src/import/jsonl.ts";
import type { StateStore } from "../src/storage/stateStore.ts";
import { type BenchCase, MIN_CALLS } from "./cases.ts";
import { type Call, type Cost, opzoek } from "./processes.ts";

/** Companies that calls are made from, from all over the registry. */
const SAMPLED = 20_000;
const PLENTY = 1_000_000_000_000;
const TIERS = { unlimited: { monthlyTokens: PLENTY, ratePerMinute: PLENTY } };
const MAX_AT_ONCE = 64;

export interface World {
  readonly folder: string;
  /** For every `opzoek` of this world. */
  readonly environment: NodeJS.ProcessEnv;
  readonly sample: readonly CompanyFacts[];
  readonly fullImport: Cost;
}

/** A case with its accounts and calls on one store. */
export interface PreparedCase {
  readonly bench: BenchCase;
  readonly accountIds: readonly string[];
  readonly calls: readonly Call[];
}

/** Generates the companies and imports them. */
export async function buildWorld(parent: string, companies: number, viesUrl: string): Promise<World> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "run-"));
  const tiersFile = join(folder, "tiers.json");
  writeFileSync(tiersFile, JSON.stringify(TIERS));
  const environment = {
    ...process.env,
    HOST: "127.0.0.1",
    DATA_DIR: join(folder, "data"),
    TIERS_FILE: tiersFile,
    LOG_LEVEL: "info",
    VIES_URL: viesUrl,
    VIES_PER_STATE: "64",
  };
  const fullImport = await importCompanies(generated(companies), environment);
  const step = Math.max(1, Math.floor(companies / SAMPLED));
  const sample = generated(companies)
    .filter((_, nth) => nth % step === 0)
    .map(({ facts }) => facts)
    .toArray();
  return { folder, environment, sample, fullImport };
}

export function generated(companies: number): IteratorObject<SourcedFacts> {
  return generateCompanies({ companies, seed: DEMO_SEED });
}

/** The company under a new name, dated now. */
export function renamed(company: SourcedFacts, suffix: string): SourcedFacts {
  const facts = { ...company.facts, name: `${company.facts.name} ${suffix}` };
  return { ...company, facts, asOf: new Date().toISOString() };
}

/** Writes a file of companies as lines of JSON, imports it and deletes it. */
export function importCompanies(
  companies: IteratorObject<SourcedFacts>,
  environment: NodeJS.ProcessEnv,
): Promise<Cost> {
  return importLines(
    "jsonl",
    companies.map((one) => `${formatFacts(one)}\n`),
    environment,
  );
}

/** Writes a file, imports it and deletes it. @returns the cost of the import alone */
export async function importLines(
  format: "jsonl" | "gleif",
  lines: Iterable<string>,
  environment: NodeJS.ProcessEnv,
): Promise<Cost> {
  const folder = mkdtempSync(join(dirname(environment["DATA_DIR"] ?? ""), "import-"));
  const file = join(folder, `companies.${format}`);
  await writeLines(lines, file, () => {});
  const cost = await opzoek(["import", format, file], environment);
  rmSync(folder, { recursive: true });
  return cost;
}

/** Opens the state of a world as the program does. */
export async function withState<T>(
  environment: NodeJS.ProcessEnv,
  use: (state: StateStore) => Promise<T>,
): Promise<T> {
  const state = await openState(readSettings(environment));
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}

/** Creates the accounts of a case, and the calls that their keys make in turn. */
export async function prepareCase(bench: BenchCase, world: World): Promise<PreparedCase> {
  const made = await withState(world.environment, (state) => {
    const accounts = new Accounts(state, TIERS);
    return inGroups(Array.from({ length: bench.accounts }), async (_, index) => {
      const email = `${bench.name}-${index}-${randomUUID()}@bench.example`;
      const { id } = await accounts.create(email, "unlimited");
      return { id, key: (await accounts.createKey(id, bench.name)).key };
    });
  });
  const random = new Random(DEMO_SEED);
  const calls: Call[] = [];
  const count = Math.max(MIN_CALLS, made.length);
  for (let tries = 0; tries < 10 * count && calls.length < count; tries++) {
    const path = bench.pathOf(random.pick(world.sample), random);
    const key = made[calls.length % made.length]?.key;
    if (path !== undefined && key !== undefined) calls.push({ path, key });
  }
  return { bench, accountIds: made.map(({ id }) => id), calls };
}

/** Runs `work` for each item, some at the same time. */
export async function inGroups<I, T>(
  items: readonly I[],
  work: (item: I, index: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < items.length; start += MAX_AT_ONCE) {
    const group = items.slice(start, start + MAX_AT_ONCE);
    done.push(...(await Promise.all(group.map((item, offset) => work(item, start + offset)))));
  }
  return done;
}
