/** A registry, accounts and keys in a folder of the run, made by the program itself. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Accounts } from "../src/accounts/accounts.ts";
import { openState } from "../src/app/compose/state.ts";
import { readSettings } from "../src/app/settings/settings.ts";
import type { StateStore } from "../src/app/state/stateStore.ts";
import { writeLines } from "../src/cli/output.ts";
import type { CompanyFacts, SourcedFacts } from "../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../src/demo/registry/generateCompanies.ts";
import { Random } from "../src/demo/registry/random.ts";
import { formatFacts } from "../src/import/jsonl.ts";
import { type BenchCase, MIN_CALLS } from "./cases.ts";
import { type Call, opzoek } from "./processes.ts";

/** Companies that calls are made from, from all over the registry. */
const SAMPLED = 20_000;
const PLENTY = 1_000_000_000_000;
const TIERS = { unlimited: { monthlyTokens: PLENTY, ratePerMinute: PLENTY } };
const MAX_AT_ONCE = 16;

export interface World {
  readonly folder: string;
  /** For every `opzoek` of this world. */
  readonly environment: NodeJS.ProcessEnv;
  readonly sample: readonly CompanyFacts[];
  /** The duration of the full import. */
  readonly importSeconds: number;
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
  const importSeconds = await importCompanies(generated(companies), environment);
  const step = Math.max(1, Math.floor(companies / SAMPLED));
  const sample = generated(companies)
    .filter((_, nth) => nth % step === 0)
    .map(({ facts }) => facts)
    .toArray();
  return { folder, environment, sample, importSeconds };
}

export function generated(companies: number): IteratorObject<SourcedFacts> {
  return generateCompanies({ companies, seed: DEMO_SEED });
}

/** The company under a new name, dated now. */
export function renamed(company: SourcedFacts, suffix: string): SourcedFacts {
  const facts = { ...company.facts, name: `${company.facts.name} ${suffix}` };
  return { ...company, facts, asOf: new Date().toISOString() };
}

/** Like {@link importLines}, in lines of JSON. */
export function importCompanies(
  companies: IteratorObject<SourcedFacts>,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const lines = companies.map((one) => `${formatFacts(one)}\n`);
  return importLines("jsonl", lines, environment);
}

/** Writes a file, imports it and deletes it. @returns the seconds that the import took */
export async function importLines(
  format: "jsonl" | "gleif",
  lines: Iterable<string>,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const folder = mkdtempSync(join(dirname(environment["DATA_DIR"] ?? ""), "import-"));
  const file = join(folder, `companies.${format}`);
  await writeLines(lines, file, () => {});
  const seconds = await opzoek(["import", format, file], environment);
  rmSync(folder, { recursive: true });
  return seconds;
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
  const made: { readonly id: string; readonly key: string }[] = [];
  await withState(world.environment, async (state) => {
    const accounts = new Accounts(state, TIERS);
    const create = async () => {
      const { id } = await accounts.create(`${randomUUID()}@bench.example`, "unlimited");
      made.push({ id, key: (await accounts.createKey(id, bench.name)).key });
    };
    while (made.length < bench.accounts) {
      const length = Math.min(MAX_AT_ONCE, bench.accounts - made.length);
      await Promise.all(Array.from({ length }, create));
    }
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
