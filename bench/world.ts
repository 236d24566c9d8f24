/** What a run is made of: a registry, accounts and keys in a folder of its own, made by the program's own commands. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_SEED, generateCompanies } from "../src/registry/demo/generateCompanies.ts";
import { Random } from "../src/registry/demo/random.ts";
import type { CompanyFacts } from "../src/registry/facts.ts";
import type { BenchCase } from "./cases/case.ts";
import type { Call } from "./client/job.ts";
import { opzoek } from "./program.ts";

/** So many companies are kept to make calls from, spread over the whole registry. */
const SAMPLED = 20_000;
const PLENTY = 1_000_000_000_000;
const TIERS = {
  unlimited: { monthlyTokens: PLENTY, ratePerMinute: PLENTY },
  "one-a-minute": { monthlyTokens: PLENTY, ratePerMinute: 1 },
};

export interface PreparedCase {
  readonly bench: BenchCase;
  readonly accountId: string;
  readonly key: string;
  readonly calls: readonly Call[];
}

export interface World {
  readonly folder: string;
  /** For every `opzoek` that works on this world. */
  readonly environment: NodeJS.ProcessEnv;
  readonly cases: readonly PreparedCase[];
}

interface Wishes {
  readonly companies: number;
  readonly folder: string;
  readonly logLevel: string;
  readonly cases: readonly BenchCase[];
  readonly viesUrl: string;
}

/** Builds the world of one run; `say` hears what is being done. */
export async function buildWorld(wishes: Wishes, say: (line: string) => void): Promise<World> {
  mkdirSync(wishes.folder, { recursive: true });
  const folder = mkdtempSync(join(wishes.folder, "run-"));
  const tiersFile = join(folder, "tiers.json");
  writeFileSync(tiersFile, JSON.stringify(TIERS));
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
  say(`making and importing ${wishes.companies} companies`);
  const companiesFile = join(folder, "companies.jsonl");
  const size = ["--companies", String(wishes.companies), "--seed", String(DEMO_SEED)];
  await opzoek(["generate", ...size, "--out", companiesFile], environment);
  await opzoek(["import", "jsonl", companiesFile], environment);
  const sample = sampleCompanies(wishes.companies);
  const cases: PreparedCase[] = [];
  for (const bench of wishes.cases) cases.push(await prepare(bench, sample, environment));
  return { folder, environment, cases };
}

/** Every n-th company, in no order. */
export function sampleCompanies(companies: number): readonly CompanyFacts[] {
  const step = Math.max(1, Math.floor(companies / SAMPLED));
  const sample: CompanyFacts[] = [];
  let index = 0;
  for (const { facts } of generateCompanies({ companies, seed: DEMO_SEED })) {
    if (index++ % step === 0) sample.push(facts);
  }
  const random = new Random(companies);
  return sample
    .map((company) => ({ company, place: random.bits() }))
    .sort((one, other) => one.place - other.place)
    .map(({ company }) => company);
}

async function prepare(
  bench: BenchCase,
  sample: readonly CompanyFacts[],
  environment: NodeJS.ProcessEnv,
): Promise<PreparedCase> {
  const email = `${bench.name}@bench.example`;
  const account = await opzoek(["account", "create", "--email", email, "--tier", bench.tier], environment);
  const accountId = account.trim();
  const created = await opzoek(["key", "create", "--account", accountId, "--name", bench.name], environment);
  const key = created.trim();
  const authorization = `Bearer ${key}`;
  const calls = bench.calls(sample, new Random(DEMO_SEED)).map(
    ({ method, path, body }): Call => ({
      method,
      path,
      headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { bench, accountId, key, calls };
}
