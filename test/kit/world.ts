import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import type { TierTable } from "../../src/contract/tiers.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { afterFile } from "./afterFile.ts";
import { prepareRegistry } from "./preparedRegistry.ts";
import { prepareState } from "./preparedState.ts";

export interface TestKey {
  readonly key: string;
  readonly id: string;
}

export interface TestAccount {
  readonly id: string;
  /** The first or only key. */
  readonly key: string;
  readonly keys: readonly TestKey[];
}

/** A data folder with a registry, and the settings for services and commands on it. */
export interface World {
  readonly dataDir: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Opens the accounts next to a running service, as the CLI commands do. */
  withAccounts<T>(use: (accounts: Accounts) => Promise<T>): Promise<T>;
  account(tierName: string, keyCount?: number): Promise<TestAccount>;
  import(companies: readonly SourcedFacts[]): Promise<void>;
}

export interface WorldOptions {
  /** In addition to the built-in tiers and `plenty`, whose limits no test reaches. */
  readonly tiers?: TierTable;
  /** `[]` leaves the registry absent. */
  readonly companies?: readonly SourcedFacts[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Creates worlds with the state store that the suite tests. */
export type MakeWorld = (options?: WorldOptions) => Promise<World>;

/** Refuses connections at once: only root may listen on this port. */
const NO_VIES = "http://127.0.0.1:1";
/** The maximum: a simulator on a stalled machine has not gone silent. Tests of silence set their own timeouts. */
const FETCH_TIMEOUTS = {
  VIES_DEADLINE_MS: "30000",
  VIES_BATCH_DEADLINE_MS: "60000",
  KVK_DEADLINE_MS: "30000",
  KVK_BATCH_DEADLINE_MS: "60000",
};
const WITHOUT_LIMIT = 1_000_000_000;
export const PLENTY = { monthlyTokens: WITHOUT_LIMIT, ratePerMinute: WITHOUT_LIMIT };

/** A folder that is deleted after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-system-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a data folder; it is deleted after the file's tests. */
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
    // Each worker process loads the program: tests that need several set the number.
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
      const state = await openCommandState(settings);
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
  if (options.companies === undefined) await prepareRegistry(registryDirectory(dataDir));
  else if (options.companies.length > 0) await world.import(options.companies);
  return world;
}

/** An account with keys, created as an operator does. */
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
