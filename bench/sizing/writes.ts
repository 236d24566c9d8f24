import { readFileSync } from "node:fs";
import type { Client } from "pg";
import { Meter, type MeterOptions } from "../../src/metering/meter.ts";
import type { CallRequest, MeteringStore } from "../../src/metering/store.ts";
import { IS_OURS } from "../../src/storage/postgres/connect.ts";
import { cpuMsOfTree } from "../processes.ts";

export interface Writes {
  readonly chargesPerSecond: number;
  readonly chargesPerCommit: number;
  readonly commitsPerSecond: number;
  /** Of this process, with its state thread. */
  readonly nodeCpuUs: number;
  readonly databaseCpuUs: number;
  /** PostgreSQL: of WAL. SQLite: all that was handed to the disk. */
  readonly bytesPerCharge: number;
  readonly maxConnections: number;
}

/** Where the database's side of it is read; absent for the embedded store, which is in this process. */
export interface Database {
  readonly client: Client;
  readonly pid: number;
}

interface Wishes {
  /** How the service has its meter put requests to this store. */
  readonly batches: MeterOptions;
  /** Charges under way at once, as from so many callers who never pause. */
  readonly atOnce: number;
  readonly seconds: number;
  readonly database?: Database;
}

/** Keeps charges of price 1 under way for some seconds, on the keys in turn. */
export async function measureWrites(
  state: MeteringStore,
  keyIds: readonly string[],
  { batches, atOnce, seconds, database }: Wishes,
): Promise<Writes> {
  let commits = 0;
  const counted: MeteringStore = {
    apply: (requests) => {
      commits += 1;
      return state.apply(requests);
    },
    findKeys: (hashes) => state.findKeys(hashes),
  };
  const meter = new Meter(counted, batches);
  try {
    await charge(meter, keyIds, { atOnce, seconds: 1 });
    commits = 0;
    const before = await reading(database);
    let maxConnections = 0;
    const watch = setInterval(async () => {
      if (database !== undefined) maxConnections = Math.max(maxConnections, await connections(database));
    }, 200);
    const charges = await charge(meter, keyIds, { atOnce, seconds });
    clearInterval(watch);
    const after = await reading(database);
    return {
      chargesPerSecond: charges / seconds,
      chargesPerCommit: charges / commits,
      commitsPerSecond: commits / seconds,
      nodeCpuUs: (after.nodeUs - before.nodeUs) / charges,
      databaseCpuUs: (after.databaseUs - before.databaseUs) / charges,
      bytesPerCharge: (after.bytes - before.bytes) / charges,
      maxConnections,
    };
  } finally {
    await meter.close();
  }
}

/** @returns how many were granted */
async function charge(
  meter: Meter,
  keyIds: readonly string[],
  { atOnce, seconds }: Pick<Wishes, "atOnce" | "seconds">,
): Promise<number> {
  const endsMs = performance.now() + seconds * 1_000;
  let charges = 0;
  const keepCharging = async (): Promise<void> => {
    while (performance.now() < endsMs) {
      const keyId = keyIds[charges++ % keyIds.length] ?? "";
      const request: CallRequest = { kind: "call", keyId, operation: "lookup", price: 1, charge: 1 };
      const { outcome } = await meter.decide(request);
      if (outcome !== "granted") throw new Error(`a charge was not granted but ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, keepCharging));
  return charges;
}

async function reading(database: Database | undefined) {
  const { user, system } = process.cpuUsage();
  return {
    nodeUs: user + system,
    databaseUs: database === undefined ? 0 : cpuMsOfTree(database.pid) * 1_000,
    bytes: database === undefined ? bytesToDisk() : await walBytes(database.client),
  };
}

async function walBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}

/** What this process had the kernel write; 0 where there is no `/proc`. */
function bytesToDisk(): number {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

async function connections({ client }: Database): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_stat_activity where ${IS_OURS}`,
  );
  return Number(rows[0]?.count);
}
