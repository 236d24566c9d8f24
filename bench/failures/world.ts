/** The registries, states, accounts, upstreams, database and nodes of a run, in a folder of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import { startKvkSimulator } from "../../src/demo/kvk/server.ts";
import { startViesSimulator } from "../../src/demo/vies/server.ts";
import { freePort } from "../../test/kit/freePort.ts";
import { say } from "../options.ts";
import { startPostgres } from "../postgres.ts";
import { opzoek } from "../processes.ts";
import { generated, importCompanies, renamed, withState } from "../world.ts";
import { TestNode } from "./node.ts";

const COMPANIES = 25_000;
/** One company in so many is missing from the registry: only KVK has it. */
const UNKNOWN_OF = 80;
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

export type World = Awaited<ReturnType<typeof buildWorld>>;

/**
 * Builds a world and starts its nodes. `cleanUps` receives a function for each part when it is made, also if a later
 * one fails.
 */
export async function buildWorld(cleanUps: (() => unknown)[]) {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-failures-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const all = [...generated(COMPANIES)];
  const registered = all.filter((_, nth) => nth % UNKNOWN_OF !== 0);
  const unknown = all.filter((_, nth) => nth % UNKNOWN_OF === 0).map(({ facts }) => facts);
  const company = { name: "VOORBEELD B.V.", address: "VERZONNENLAAN 1" };
  const vies = await startViesSimulator({ companyOf: () => company });
  cleanUps.push(() => vies.stop());
  const kvk = await startKvkSimulator({ companies: unknown, perSecond: 100_000 });
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
    // Short, so that upstreams are called often and stored answers become stale.
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
    say(`${name}: importing ${registered.length} companies and starting ${nodeNames.join(", ")}`);
    await importCompanies(registered.values(), environment);
    const accounts = await makeAccounts(environment);
    const nodes: TestNode[] = [];
    for (const nodeName of nodeNames) {
      const node = new TestNode(nodeName, await freePort(), folder, environment);
      cleanUps.push(() => node.stop("SIGKILL"));
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
  const places = [shared, embedded];
  let imports = 0;
  return {
    /** Two nodes on PostgreSQL, with two workers each. */
    shared,
    /** One node. */
    embedded,
    /** Both. */
    places,
    nodes: places.flatMap(({ nodes }) => nodes),
    companies: registered.map(({ facts }) => facts),
    /** KVK numbers that are not in the registry. */
    unknown: unknown.map(({ kvkNumber }) => kvkNumber),
    vies,
    kvk,
    postgres,
    /** The DATA_DIR of the embedded node if it is a file system of its own, which can be filled. */
    smallDisk,
    setClocks,
    /** Imports a file in which some companies have other names, on both states. */
    async importChanges() {
      const round = ++imports;
      for (const { environment } of places) {
        const changed = registered
          .values()
          .map((one, nth) => (nth % CHANGED_OF === round % CHANGED_OF ? renamed(one, String(round)) : one));
        await importCompanies(changed, environment);
      }
    },
    async rollBack() {
      for (const { environment } of places) await opzoek(["registry", "rollback"], environment);
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
