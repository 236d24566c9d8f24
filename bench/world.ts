/** What a run is made of: a registry, accounts and keys in a folder of its own, made by the program's own commands. */
import { randomUUID } from "node:crypto";
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../src/accounts/accounts.ts";
import { openState } from "../src/app/compose/state.ts";
import { readSettings } from "../src/app/settings/settings.ts";
import type { CompanyFacts } from "../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../src/demo/generateCompanies.ts";
import { Random } from "../src/demo/random.ts";
import { registryDirectory } from "../src/snapshot/places.ts";
import type { StateStore } from "../src/storage/stateStore.ts";
import type { BenchCase } from "./cases/case.ts";
import type { Call } from "./client/job.ts";
import type { Kvk } from "./kvk/kvk.ts";
import { opzoek } from "./program.ts";

/** So many companies are kept to make calls from, spread over the whole registry. */
const SAMPLED = 20_000;
const PLENTY = 1_000_000_000_000;
export const UNLIMITED_TIERS = {
  unlimited: { monthlyTokens: PLENTY, ratePerMinute: PLENTY },
  "one-a-minute": { monthlyTokens: PLENTY, ratePerMinute: 1 },
};

export interface PreparedCase {
  readonly bench: BenchCase;
  readonly accountIds: readonly string[];
  readonly keys: readonly string[];
  readonly calls: readonly Call[];
}

export interface World {
  readonly folder: string;
  /** For every `opzoek` that works on this world. */
  readonly environment: NodeJS.ProcessEnv;
  readonly sample: readonly CompanyFacts[];
  /** How long the import took; absent where the registry was there already. */
  readonly importSeconds?: number;
}

interface Wishes {
  readonly companies: number;
  /** A DATA_DIR that holds their registry already; it is left as it is. */
  readonly registry?: string | undefined;
  readonly folder: string;
  readonly logLevel: string;
  readonly viesUrl: string;
}

/** Builds the world of one run; `say` hears what is being done. */
export async function buildWorld(wishes: Wishes, say: (line: string) => void): Promise<World> {
  mkdirSync(wishes.folder, { recursive: true });
  const folder = mkdtempSync(join(wishes.folder, "run-"));
  const tiersFile = join(folder, "tiers.json");
  writeFileSync(tiersFile, JSON.stringify(UNLIMITED_TIERS));
  const environment = {
    ...process.env,
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: join(folder, "data"),
    TIERS_FILE: tiersFile,
    LOG_LEVEL: wishes.logLevel,
    VIES_URL: wishes.viesUrl,
    VIES_PER_STATE: "64",
    // A round is shorter than the default: a call that hangs should not outlive it.
    VIES_DEADLINE_MS: "500",
  };
  const { companies } = wishes;
  if (wishes.registry !== undefined) {
    borrow(registryDirectory(wishes.registry), registryDirectory(environment.DATA_DIR));
    return { folder, environment, sample: sampleCompanies(companies) };
  }
  say(`making and importing ${companies} companies`);
  const companiesFile = join(folder, "companies.jsonl");
  const size = ["--companies", String(companies), "--seed", String(DEMO_SEED)];
  await opzoek(["generate", ...size, "--out", companiesFile], environment);
  const startedMs = performance.now();
  await opzoek(["import", "jsonl", companiesFile], environment);
  const importSeconds = (performance.now() - startedMs) / 1_000;
  return { folder, environment, sample: sampleCompanies(companies), importSeconds };
}

/** The same files under a second name: they are never written again, and copying gigabytes would measure the disk. */
function borrow(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) {
    if (/^(snapshot|segment)-\d+\.(sqlite|names)$/.test(name)) linkSync(join(from, name), join(to, name));
    else if (name === "current.json") copyFileSync(join(from, name), join(to, name));
  }
}

/** The same registry with KVK's API beside it. */
export function withKvk(world: World, { url, apiKey }: Pick<Kvk, "url" | "apiKey">): World {
  const kvk = { KVK_API_URL: url, KVK_API_KEY: apiKey, KVK_DAILY_CALLS: "1000000" };
  return { ...world, environment: { ...world.environment, ...kvk } };
}

/** The same registry over a state on PostgreSQL. */
export function onPostgres(world: World, url: string): World {
  return { ...world, environment: { ...world.environment, DATABASE_URL: url } };
}

/** Opens the state of a world as the program does. */
export async function withState<T>(world: World, use: (state: StateStore) => Promise<T>): Promise<T> {
  const state = await openState(readSettings(world.environment));
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}

/** Every n-th company, in no order. */
export function sampleCompanies(companies: number): readonly CompanyFacts[] {
  const step = Math.max(1, Math.floor(companies / SAMPLED));
  const sample: CompanyFacts[] = [];
  let index = 0;
  for (const { facts } of generateCompanies({ companies, seed: DEMO_SEED })) {
    if (index++ % step === 0) sample.push(facts);
  }
  return shuffled(sample, companies);
}

/** The same things in an order that is always the same and means nothing. */
function shuffled<T>(things: readonly T[], seed: number): readonly T[] {
  const random = new Random(seed);
  return things
    .map((thing) => ({ thing, place: random.bits() }))
    .sort((one, other) => one.place - other.place)
    .map(({ thing }) => thing);
}

/** Accounts with their keys, and the calls that are made with them in turn. */
export async function prepareCase(bench: BenchCase, world: World): Promise<PreparedCase> {
  const { accounts: count = 1, tier } = bench;
  const made = await withState(world, async (state) => {
    const accounts = new Accounts(state, UNLIMITED_TIERS);
    return inGroups(count, async (index) => {
      const { id } = await accounts.create(`${bench.name}-${index}-${randomUUID()}@bench.example`, tier);
      return { id, key: (await accounts.createKey(id, bench.name)).key };
    });
  });
  // Rows that were made together are not used together.
  const keys = shuffled(made, count).map(({ key }) => key);
  const calls = bench.calls(world.sample, new Random(DEMO_SEED)).map(
    ({ method, path, body, headers }, index): Call => ({
      method,
      path,
      headers: {
        ...headers,
        authorization: `Bearer ${keys[index % keys.length]}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { bench, accountIds: made.map(({ id }) => id), keys, calls };
}

const AT_ONCE = 8;

/** Does something for 0 to `count`, a few at once. */
export async function inGroups<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < count; start += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, offset) =>
      work(start + offset),
    );
    done.push(...(await Promise.all(group)));
  }
  return done;
}
