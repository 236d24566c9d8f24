import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import { openStateHere } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import type { TierTable } from "../../src/contract/tiers.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/places.ts";
import { afterFile } from "./afterFile.ts";
import { COMPANIES } from "./companies.ts";
import { prepareState } from "./preparedState.ts";

export interface TestKey {
  readonly key: string;
  readonly id: string;
}

export interface TestAccount {
  readonly id: string;
  /** The first of its keys, or the only one. */
  readonly key: string;
  readonly keys: readonly TestKey[];
}

/** A data folder with a registry, and the settings that services and commands on it run with. */
export interface World {
  readonly dataDir: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Opens the accounts beside a running service, as the commands of the terminal do. */
  withAccounts<T>(use: (accounts: Accounts) => Promise<T>): Promise<T>;
  account(tierName: string, keyCount?: number): Promise<TestAccount>;
  import(companies: readonly SourcedFacts[]): Promise<void>;
}

export interface WorldOptions {
  /** Beside the built-in tiers and `plenty`, which has no limit that a test meets. */
  readonly tiers?: TierTable;
  /** `[]` leaves the registry absent. */
  readonly companies?: readonly SourcedFacts[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Makes worlds whose state is wherever the suite is held against. */
export type MakeWorld = (options?: WorldOptions) => Promise<World>;

/** Refuses connections at once: nothing may listen there without being root's. */
const NO_VIES = "http://127.0.0.1:1";
/** As long as may be: a simulator that a machine holds up for seconds has not fallen silent. Tests of silence say how long they wait for it. */
const FETCH_TIMEOUTS = {
  VIES_DEADLINE_MS: "30000",
  VIES_BATCH_DEADLINE_MS: "60000",
  KVK_DEADLINE_MS: "30000",
  KVK_BATCH_DEADLINE_MS: "60000",
};
const WITHOUT_LIMIT = 1_000_000_000;
export const PLENTY = { monthlyTokens: WITHOUT_LIMIT, ratePerMinute: WITHOUT_LIMIT };

/** A folder that is deleted when all tests of the file have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-system-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a data folder of its own; it is deleted when the file's tests have ended. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  const tiersFile = join(folder, "tiers.json");
  writeFileSync(tiersFile, JSON.stringify({ plenty: PLENTY, ...options.tiers }));
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: dataDir,
    TIERS_FILE: tiersFile,
    VIES_URL: NO_VIES,
    ...FETCH_TIMEOUTS,
    KEYLESS_PER_MINUTE: String(WITHOUT_LIMIT),
    // Each thread loads the program: tests of several say how many.
    WORKERS: process.env.TEST_WORKERS ?? "1",
    ...options.environment,
  };
  let accountCount = 0;
  const world: World = {
    dataDir,
    environment,
    async withAccounts(use) {
      const settings = readSettings(environment);
      if (settings.DATABASE_URL === undefined) await prepareState(settings.DATA_DIR);
      const state = await openStateHere(settings);
      try {
        return await use(new Accounts(state, settings.TIERS_FILE));
      } finally {
        await state.close();
      }
    },
    account: (tierName, keyCount = 1) =>
      world.withAccounts((accounts) =>
        makeAccount(accounts, `caller-${++accountCount}@fabel.example`, tierName, keyCount),
      ),
    async import(companies) {
      await importFacts(registryDirectory(dataDir), companies, { replace: false });
    },
  };
  const companies = options.companies ?? COMPANIES;
  if (companies.length > 0) await world.import(companies);
  return world;
}

/** An account with keys, made as an operator makes them. */
export async function makeAccount(
  accounts: Accounts,
  email: string,
  tierName: string,
  keyCount = 1,
): Promise<TestAccount> {
  const { id } = await accounts.create(email, tierName);
  const first = await accounts.createKey(id, "key 1");
  const keys: TestKey[] = [first];
  while (keys.length < keyCount) keys.push(await accounts.createKey(id, `key ${keys.length + 1}`));
  return { id, key: first.key, keys };
}
