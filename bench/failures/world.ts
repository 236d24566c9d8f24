/** The registries, states, accounts, upstreams, database and nodes of a run, in a folder of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { DEMO_SEED, generateCompanies } from "../../src/demo/generateCompanies.ts";
import { type KvkSimulator, startKvkSimulator } from "../../src/simulators/kvk/server.ts";
import { startViesSimulator, type ViesSimulator } from "../../src/simulators/vies/server.ts";
import { type Postgres, startPostgres } from "../postgres.ts";
import { opzoek } from "../processes.ts";
import { generated, importCompanies, renamed, withState } from "../world.ts";
import { TestNode } from "./node.ts";

const COMPANIES = 25_000;
/** Companies that only KVK knows, from a registry with another seed. */
const UNKNOWN = 300;
/** Each import changes the name of one company in so many. */
const CHANGED_OF = 20;
const SMALL_DISK = "size=512m";
const PLENTY = 1_000_000_000;
const TIERS = {
  plenty: { monthlyTokens: PLENTY, ratePerMinute: PLENTY },
  measured: { monthlyTokens: 2_000, ratePerMinute: PLENTY },
} as const;

export interface TestAccount {
  readonly id: string;
  readonly key: string;
  /** Tokens per month. */
  readonly allowance: number;
}

/** A state with its accounts, and the nodes that share it. */
export interface Place {
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly accounts: readonly TestAccount[];
  readonly nodes: readonly TestNode[];
}

export interface World {
  /** Two nodes on PostgreSQL, with two workers each. */
  readonly shared: Place;
  /** One node. */
  readonly embedded: Place;
  readonly nodes: readonly TestNode[];
  readonly companies: readonly CompanyFacts[];
  /** KVK numbers that are not in the registry. */
  readonly unknown: readonly string[];
  readonly vies: ViesSimulator;
  readonly kvk: KvkSimulator;
  readonly postgres: Postgres;
  /** The DATA_DIR of the embedded node if it is a file system of its own, which can be filled. */
  readonly smallDisk: string | undefined;
  setClocks(aheadMs: number): void;
  /** Imports a file in which some companies have other names, on both states. */
  importChanges(): Promise<void>;
  rollBack(): Promise<void>;
}

/** Builds a world, and starts its nodes. Whatever happens, `cleanUps` holds what undoes it, in the order of its making. */
export async function buildWorld(cleanUps: (() => unknown)[], say: (line: string) => void): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-failures-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const companies = generated(COMPANIES)
    .map(({ facts }) => facts)
    .toArray();
  const held = new Set<string>(companies.map(({ kvkNumber }) => kvkNumber));
  const beyond = generateCompanies({ companies: UNKNOWN, seed: DEMO_SEED + 1 })
    .map(({ facts }) => facts)
    .filter(({ kvkNumber }) => !held.has(kvkNumber))
    .toArray();
  const company = { name: "VOORBEELD B.V.", address: "VERZONNENLAAN 1" };
  const vies = await startViesSimulator({ companyOf: () => company });
  cleanUps.push(() => vies.stop());
  const kvk = await startKvkSimulator({ companies: beyond, perSecond: 100_000 });
  cleanUps.push(() => kvk.stop());
  say("starting PostgreSQL");
  const postgres = await startPostgres();
  cleanUps.push(() => postgres.stop());
  const [tiersFile, clockFile] = [join(folder, "tiers.json"), join(folder, "clock")];
  writeFileSync(tiersFile, JSON.stringify(TIERS));
  const setClocks = (aheadMs: number) => writeFileSync(clockFile, String(aheadMs));
  setClocks(0);
  const common = {
    ...process.env,
    HOST: "127.0.0.1",
    TIERS_FILE: tiersFile,
    CLOCK_FILE: clockFile,
    VIES_URL: vies.url,
    KVK_API_URL: kvk.url,
    KVK_API_KEY: kvk.apiKey,
    KVK_DAILY_CALLS: "10000000",
    KVK_DAILY_MISSES: "10000000",
    // Short, so that upstreams are asked often and stored answers become stale.
    VIES_FRESH_FOR: "20",
    KVK_FRESH_FOR: "20",
    KEYLESS_PER_MINUTE: "1000000",
  };
  const embeddedDir = join(folder, "embedded");
  mkdirSync(embeddedDir, { mode: 0o700 });
  const smallDisk = mountSmallDisk(embeddedDir) ? embeddedDir : undefined;
  if (smallDisk !== undefined) cleanUps.push(() => execFileSync("umount", [smallDisk]));
  const place = async (
    name: string,
    nodeNames: readonly string[],
    own: NodeJS.ProcessEnv,
  ): Promise<Place> => {
    const environment = { ...common, ...own };
    say(`${name}: importing ${COMPANIES} companies and starting ${nodeNames.join(", ")}`);
    await importCompanies(generated(COMPANIES), environment);
    const accounts = await makeAccounts(environment);
    const nodes: TestNode[] = [];
    for (const nodeName of nodeNames) {
      const node = await TestNode.create(nodeName, folder, environment);
      // Nodes must not outlive this process, which a signal ends at once, as the library that runs PostgreSQL has it.
      process.once("exit", () => node.killNow());
      cleanUps.push(() => node.kill());
      await node.start();
      nodes.push(node);
    }
    return { name, environment, accounts, nodes };
  };
  const shared = await place("PostgreSQL", ["node-0", "node-1"], {
    DATA_DIR: join(folder, "shared"),
    DATABASE_URL: postgres.url,
    WORKERS: "2",
  });
  const embedded = await place("embedded", ["embedded"], { DATA_DIR: embeddedDir });
  let imports = 0;
  return {
    shared,
    embedded,
    nodes: [...shared.nodes, ...embedded.nodes],
    companies,
    unknown: beyond.map(({ kvkNumber }) => kvkNumber),
    vies,
    kvk,
    postgres,
    smallDisk,
    setClocks,
    async importChanges() {
      const round = ++imports;
      for (const { environment } of [shared, embedded]) {
        const changed = generated(COMPANIES).map((one, nth) =>
          nth % CHANGED_OF === round % CHANGED_OF ? renamed(one, String(round)) : one,
        );
        await importCompanies(changed, environment);
      }
    },
    async rollBack() {
      for (const { environment } of [shared, embedded]) await opzoek(["registry", "rollback"], environment);
    },
  };
}

/** Needs root on most machines. */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function makeAccounts(environment: NodeJS.ProcessEnv): Promise<TestAccount[]> {
  return withState(environment, async (state) => {
    const accounts = new Accounts(state, TIERS);
    const made: TestAccount[] = [];
    for (const tier of ["plenty", "plenty", "plenty", "plenty", "measured"] as const) {
      const { id } = await accounts.create(`${tier}-${made.length}@failures.example`, tier);
      const { key } = await accounts.createKey(id, "failures");
      made.push({ id, key, allowance: TIERS[tier].monthlyTokens });
    }
    return made;
  });
}
