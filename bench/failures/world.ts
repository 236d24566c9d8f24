/** What a soak is run on: registries, states, accounts and keys, upstreams and a database, in a folder of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../../src/demo/generateCompanies.ts";
import { type KvkSimulator, startKvkSimulator } from "../../src/simulators/kvk/server.ts";
import { startViesSimulator, type ViesSimulator } from "../../src/simulators/vies/server.ts";
import { type Postgres, startPostgres } from "../postgres.ts";
import { opzoek } from "../processes.ts";
import { withState } from "../world.ts";
import { type Gate, openGate } from "./gate.ts";
import type { SoakAccount } from "./load.ts";

const COMPANIES = 25_000;
/** Companies that only KVK knows: of a registry made with another seed. */
const UNKNOWN = 300;
/** One company of so many has another name in a changed file. */
const CHANGED_OF = 20;
const SMALL_DISK = "size=512m";
const PLENTY = 1_000_000_000;
const RATED = 120;
const TIERS = {
  plenty: { monthlyTokens: PLENTY, ratePerMinute: PLENTY },
  rated: { monthlyTokens: PLENTY, ratePerMinute: RATED },
  measured: { monthlyTokens: 2_000, ratePerMinute: PLENTY },
} as const;

export interface Place {
  readonly environment: NodeJS.ProcessEnv;
  readonly accounts: readonly SoakAccount[];
}

export interface SoakWorld {
  readonly folder: string;
  readonly shared: Place;
  readonly embedded: Place;
  readonly companies: readonly CompanyFacts[];
  readonly unknown: readonly string[];
  readonly vies: ViesSimulator;
  readonly kvk: KvkSimulator;
  readonly postgres: Postgres;
  readonly gate: Gate;
  /** The embedded DATA_DIR where it is a file system of its own. */
  readonly smallDisk: string | undefined;
  /** Lines of companies of which some are named otherwise each time. */
  changedFile(round: number): string;
  close(): Promise<void>;
}

/** Builds it; what was built is taken down again when it fails. */
export async function buildSoakWorld(say: (line: string) => void): Promise<SoakWorld> {
  const closers: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    return { ...(await build(say, (one) => closers.push(one))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  say: (line: string) => void,
  onClose: (close: () => void | Promise<void>) => void,
): Promise<Omit<SoakWorld, "close">> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-soak-"));
  onClose(() => rmSync(folder, { recursive: true, force: true }));
  const all = [...generateCompanies({ companies: COMPANIES, seed: DEMO_SEED })];
  const companies = all.map(({ facts }) => facts);
  const held = new Set<string>(companies.map(({ kvkNumber }) => kvkNumber));
  const beyond = [...generateCompanies({ companies: UNKNOWN, seed: DEMO_SEED + 1 })]
    .map(({ facts }) => facts)
    .filter(({ kvkNumber }) => !held.has(kvkNumber));
  const vies = await startViesSimulator({
    companyOf: () => ({ name: "VOORBEELD B.V.", address: "VERZONNENLAAN 1" }),
  });
  onClose(() => vies.stop());
  const kvk = await startKvkSimulator({ companies: beyond, perSecond: 100_000 });
  onClose(() => kvk.stop());
  say("starting PostgreSQL");
  const postgres = await startPostgres();
  onClose(() => postgres.stop());
  const gate = await openGate(postgres.url);
  onClose(() => gate.stop());
  const tiersFile = join(folder, "tiers.json");
  writeFileSync(tiersFile, JSON.stringify(TIERS));
  const common = {
    ...process.env,
    HOST: "127.0.0.1",
    TIERS_FILE: tiersFile,
    VIES_URL: vies.url,
    KVK_API_URL: kvk.url,
    KVK_API_KEY: kvk.apiKey,
    KVK_DAILY_CALLS: "10000000",
    KVK_DAILY_MISSES: "10000000",
    // So that VIES is asked again and again, and what it told grows stale.
    VIES_FRESH_FOR: "20",
    KVK_FRESH_FOR: "20",
    KEYLESS_PER_MINUTE: "1000000",
  };
  const embeddedDir = join(folder, "embedded");
  mkdirSync(embeddedDir, { mode: 0o700 });
  const smallDisk = mountSmallDisk(embeddedDir) ? embeddedDir : undefined;
  if (smallDisk !== undefined) onClose(() => void execFileSync("umount", [smallDisk]));
  const sharedEnvironment = {
    ...common,
    DATA_DIR: join(folder, "shared"),
    DATABASE_URL: gate.url,
    WORKERS: "2",
  };
  const embeddedEnvironment = { ...common, DATA_DIR: embeddedDir };
  const whole = join(folder, "companies.jsonl");
  const size = ["--companies", String(COMPANIES), "--seed", String(DEMO_SEED)];
  await opzoek(["generate", ...size, "--out", whole], sharedEnvironment);
  const lines = readFileSync(whole, "utf8").trimEnd().split("\n");
  const changedFile = (round: number) => {
    const file = join(folder, "changed.jsonl");
    const changed = lines.map((line, nth) =>
      nth % CHANGED_OF === round % CHANGED_OF ? renamed(line, round) : line,
    );
    writeFileSync(file, `${changed.join("\n")}\n`);
    return file;
  };
  say(`importing ${COMPANIES} companies twice`);
  for (const environment of [sharedEnvironment, embeddedEnvironment]) {
    await opzoek(["import", "jsonl", whole], environment);
  }
  return {
    folder,
    shared: { environment: sharedEnvironment, accounts: await makeAccounts(sharedEnvironment) },
    embedded: { environment: embeddedEnvironment, accounts: await makeAccounts(embeddedEnvironment) },
    companies,
    unknown: beyond.map(({ kvkNumber }) => kvkNumber),
    vies,
    kvk,
    postgres,
    gate,
    smallDisk,
    changedFile,
  };
}

function renamed(line: string, round: number): string {
  const facts = JSON.parse(line) as { name: string };
  return JSON.stringify({ ...facts, name: `${facts.name} ${round}` });
}

/** Needs rights that not everybody has; without them no disk is filled. */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function makeAccounts(environment: NodeJS.ProcessEnv): Promise<SoakAccount[]> {
  return withState(environment, async (state) => {
    const accounts = new Accounts(state, TIERS);
    const made: SoakAccount[] = [];
    for (const tier of ["plenty", "plenty", "plenty", "rated", "measured"] as const) {
      const { id } = await accounts.create(`${tier}-${made.length}@soak.example`, tier);
      const { key } = await accounts.createKey(id, "soak");
      const { monthlyTokens: allowance, ratePerMinute } = TIERS[tier];
      const isRated = tier === "rated" && environment["DATABASE_URL"] !== undefined;
      made.push({ id, key, allowance, ratePerMinute: isRated ? ratePerMinute : undefined });
    }
    return made;
  });
}
