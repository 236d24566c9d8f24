import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { aheadOfClock } from "../aheadOfClock.ts";
import { migrate, OlderState, schemaOf } from "../migrate.ts";
import { type NodeQueries, nodeQueries } from "../nodes.ts";
import { databaseTime } from "../postgres/commitOutcome.ts";
import * as postgres from "../postgres/connect.ts";
import { asDatabaseRefused } from "../postgres/failures.ts";
import { countOf } from "../rows.ts";
import { SEALED_KEY } from "../schema/sealed.ts";
import type { Tables } from "../schema/tables.ts";
import { kyselyOverSqlite } from "../sqlite/driver.ts";
import { asRefused, BUSY_TIMEOUT_MS } from "../sqlite/stateFile.ts";
import { StateRefused } from "../stateErrors.ts";
import type { TierCount } from "../tierCounts.ts";
import { tierCounts } from "../tierCounts.ts";
import { checkExists, type StateLocation } from "../transfer/rawState.ts";
import { rulesOf } from "./rules.ts";

/** Examples shown per broken rule. */
const MAX_EXAMPLES = 5;

export interface RuleFinding {
  readonly rule: string;
  readonly count: number;
  /** A few examples, by ids. */
  readonly examples: readonly string[];
  /** The meaning and the remedy. */
  readonly meaning: string;
}

export interface StateReport {
  readonly findings: readonly RuleFinding[];
  /** Temporary conditions, or a wrong clock. */
  readonly notes: readonly string[];
  /** The reason why most commands refuse the state, if an older version wrote it. */
  readonly pending?: string;
  readonly rules: number;
  readonly accounts: number;
  readonly keys: number;
  readonly tiers: readonly TierCount[];
  /** The names of the keys that encrypted two-factor secrets; see `accounts/sealing.ts`. */
  readonly sealedUnder: readonly string[];
  readonly nodes: Awaited<ReturnType<NodeQueries["nodeVersions"]>>;
}

interface CheckOptions {
  /** A quick check: only this month's totals, windows and reservations. */
  readonly isQuick?: boolean;
  readonly now?: () => number;
  /** Called with each rule before it is checked. */
  readonly onRule?: (name: string) => void;
}

/** A database without a state: the first start creates it. */
export class StateMissing extends StateRefused {
  constructor() {
    super(
      "the database has no state yet: the first start or `opzoek account create` creates it; if there should be one, check DATABASE_URL",
    );
  }
}

/**
 * Checks the consistency of a state at one moment, while others use it; changes nothing.
 * @throws {StateRefused} if there is none, it cannot be read, or it has another version
 */
export async function checkState(location: StateLocation, options: CheckOptions = {}): Promise<StateReport> {
  checkExists(location);
  return "url" in location ? checkDatabase(location.url, options) : checkFile(location.path, options);
}

async function checkFile(path: string, options: CheckOptions): Promise<StateReport> {
  const { isQuick = false, now = Date.now, onRule } = options;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    onRule?.("the file");
    const broken = wholeness(database, isQuick);
    const db = kyselyOverSqlite(database);
    if (broken.length === 0) checkIsState(path, database);
    database.exec("begin");
    const schema = await schemaOf(db);
    if (schema.is !== "current") {
      // Upgraded only for this check, then rolled back.
      database.exec("rollback; begin immediate");
      await migrate(db, { isInTransaction: true });
    }
    const report = await inspect(db, now(), options);
    const pending = schema.is === "older" ? { pending: new OlderState(schema).message } : {};
    return { ...report, ...pending, findings: [...broken, ...report.findings] };
  } catch (error) {
    if (error instanceof StateRefused) throw error;
    throw asRefused(path, error);
  } finally {
    if (database?.isTransaction) database.exec("rollback");
    database?.close();
  }
}

/** Rejects an empty file, or a file of another program, which would otherwise pass for a state without accounts. */
function checkIsState(path: string, database: DatabaseSync): void {
  const found = database
    .prepare("select count(*) as count from sqlite_schema where name = ?")
    .get("accounts");
  if (found?.count === 0) {
    throw new StateRefused(
      `${path} is not an Opzoek state: it is empty or belongs to another program; use another file, or restore a backup`,
    );
  }
}

/** Whether the file passes the integrity check of SQLite, and all foreign keys resolve. */
function wholeness(database: DatabaseSync, isQuick: boolean): readonly RuleFinding[] {
  const found = database
    .prepare(`pragma ${isQuick ? "quick_check" : "integrity_check"}(${MAX_EXAMPLES})`)
    .all();
  const lines = found.map((row) => String(Object.values(row)[0])).filter((line) => line !== "ok");
  const findings: RuleFinding[] = [];
  if (lines.length > 0) {
    const meaning = "the file is damaged: stop the service and restore the last good backup";
    findings.push({ rule: "the file", count: lines.length, examples: lines, meaning });
  }
  if (isQuick) return findings;
  const lost = database.prepare("pragma foreign_key_check").all();
  if (lost.length > 0) {
    const examples = lost.slice(0, MAX_EXAMPLES).map(({ table, rowid }) => `${table}, row ${rowid}`);
    const meaning = "rows refer to missing rows: restore the last good backup, and report this";
    findings.push({ rule: "foreign keys", count: lost.length, examples, meaning });
  }
  return findings;
}

async function checkDatabase(url: string, options: CheckOptions): Promise<StateReport> {
  const pool = postgres.openPool({ url, maxConnections: 1, isPatient: true });
  try {
    const db = postgres.kyselyOverPostgres(pool);
    const nowMs = options.now?.() ?? (await databaseTime(db));
    return await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (transaction) => {
        const schema = await schemaOf(transaction);
        if (schema.is === "new") throw new StateMissing();
        if (schema.is === "older") throw new OlderState(schema);
        return inspect(transaction, nowMs, options);
      });
  } catch (error) {
    throw asDatabaseRefused(error);
  } finally {
    await pool.end();
  }
}

async function inspect(db: Kysely<Tables>, nowMs: number, options: CheckOptions): Promise<StateReport> {
  const { isQuick = false, onRule } = options;
  const findings: RuleFinding[] = [];
  const rules = await rulesOf(db, nowMs, isQuick);
  for (const { name, meaning, broken } of rules) {
    onRule?.(name);
    const count = await countOf(db, broken);
    if (count === 0) continue;
    const few = await sql<{ what: string }>`
      select what from (${broken}) as broken order by what limit ${MAX_EXAMPLES}`.execute(db);
    findings.push({ rule: name, count, examples: few.rows.map(({ what }) => what), meaning });
  }
  const ahead = await aheadOfClock(db, nowMs);
  const notes =
    ahead === undefined
      ? []
      : [
          `${ahead.keys} rate windows and the months of ${ahead.accounts} accounts are ahead of the clock, until ${new Date(ahead.latestMs).toISOString()}: each is reset by its next call; check the clock`,
        ];
  const sealed = await sql<{ name: string }>`
    select distinct substr(sealed, ${SEALED_KEY.from}, ${SEALED_KEY.length}) as name from two_factors order by name`.execute(
    db,
  );
  return {
    findings,
    notes,
    rules: rules.length,
    accounts: await countOf(db, sql`select 1 from accounts`),
    keys: await countOf(db, sql`select 1 from keys`),
    tiers: await tierCounts(db),
    sealedUnder: sealed.rows.map(({ name }) => name),
    nodes: await nodeQueries(db, () => nowMs).nodeVersions(),
  };
}
