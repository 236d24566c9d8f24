/** A registry, accounts and keys in a folder of the run, made by the program's own commands. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../src/accounts/accounts.ts";
import { openState } from "../src/app/compose/state.ts";
import { readSettings } from "../src/app/settings/settings.ts";
import type { CompanyFacts } from "../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../src/demo/generateCompanies.ts";
import { Random } from "../src/demo/random.ts";
import type { StateStore } from "../src/storage/stateStore.ts";
import type { BenchCase } from "./cases.ts";
import type { Call } from "./load.ts";
import { opzoek } from "./processes.ts";

/** Companies that calls are made from, spread over the registry. */
const SAMPLED = 20_000;
const PLENTY = 1_000_000_000_000;
const TIERS = { unlimited: { monthlyTokens: PLENTY, ratePerMinute: PLENTY } };
const AT_ONCE = 64;

export interface World {
  readonly folder: string;
  /** For every `opzoek` of this world. */
  readonly environment: NodeJS.ProcessEnv;
  readonly sample: readonly CompanyFacts[];
  readonly importSeconds: number;
}

/** A case with its keys and calls on one store. */
export interface PreparedCase {
  readonly bench: BenchCase;
  readonly accountIds: readonly string[];
  readonly calls: readonly Call[];
}

/** Makes the companies and imports them. */
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
  const file = join(folder, "companies.jsonl");
  const size = ["--companies", String(companies), "--seed", String(DEMO_SEED)];
  await opzoek(["generate", ...size, "--out", file], environment);
  const startedMs = performance.now();
  await opzoek(["import", "jsonl", file], environment);
  const importSeconds = (performance.now() - startedMs) / 1_000;
  return { folder, environment, sample: sampleOf(companies), importSeconds };
}

function sampleOf(companies: number): readonly CompanyFacts[] {
  const step = Math.max(1, Math.floor(companies / SAMPLED));
  const sample: CompanyFacts[] = [];
  let index = 0;
  for (const { facts } of generateCompanies({ companies, seed: DEMO_SEED })) {
    if (index++ % step === 0) sample.push(facts);
  }
  return sample;
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

/** Creates the accounts of a case and the calls that their keys make in turn. */
export async function prepareCase(bench: BenchCase, world: World): Promise<PreparedCase> {
  const made = await withState(world.environment, (state) => {
    const accounts = new Accounts(state, TIERS);
    return inGroups(bench.accounts ?? 1, async (index) => {
      const email = `${bench.name}-${index}-${randomUUID()}@bench.example`;
      const { id } = await accounts.create(email, "unlimited");
      return { id, key: (await accounts.createKey(id, bench.name)).key };
    });
  });
  const calls = bench.calls(world.sample, new Random(DEMO_SEED)).map(({ path, body }, index): Call => {
    const authorization = `Bearer ${made[index % made.length]?.key}`;
    if (body === undefined) return { method: "GET", path, headers: { authorization } };
    const headers = { authorization, "content-type": "application/json" };
    return { method: "POST", path, headers, body: JSON.stringify(body) };
  });
  return { bench, accountIds: made.map(({ id }) => id), calls };
}

/** Does something for 0 to `count`, a few at once. */
export async function inGroups<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < count; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, offset) => start + offset);
    done.push(...(await Promise.all(indexes.map(work))));
  }
  return done;
}
