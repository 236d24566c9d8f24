import { MAX_CONNECTIONS } from "../../database/postgres/connect.ts";
import { type DatabaseFacts, databaseFacts } from "../../database/postgres/databaseFacts.ts";
import type { Log } from "../log/log.ts";
import { type Finding, good, problem, spanOf, warning } from "./diagnosis.ts";

/** The oldest version that the store's tests passed with. */
const MIN_VERSION = 15;
const DAY_MS = 86_400_000;
const MAX_SKEW_MS = 30_000;

/**
 * Finds server settings that can lose charges or make calls fail, the worst first. `doctor` shows them, and a starting
 * service logs them.
 * @param processes of one node
 */
export function databaseFindings(facts: DatabaseFacts, processes: number): readonly Finding[] {
  const { version, fsync, synchronousCommit, synchronousStandbys, standbys, ownsTables } = facts;
  const found: Finding[] = [];
  if (!fsync) found.push(problem("fsync is off", "turn it on: acknowledged charges may be lost"));
  if (synchronousCommit === "off") {
    found.push(problem("synchronous_commit is off", "set it to on: acknowledged charges may be lost"));
  }
  if (synchronousCommit === "local") {
    found.push(
      warning("synchronous_commit is local", "set it to on: a failover may lose acknowledged charges"),
    );
  }
  if (standbys > 0 && synchronousStandbys.trim() === "") {
    found.push(
      warning(
        `${standbys} connected standbys and an empty synchronous_standby_names`,
        "list them there, such as ANY 1 (b, c): a failover may lose acknowledged charges",
      ),
    );
  }
  if (Number.parseInt(version, 10) < MIN_VERSION) {
    found.push(
      warning("an old version", `upgrade the server: the store is tested with ${MIN_VERSION} and 18`),
    );
  }
  const connectionsNeeded = facts.machines * processes * MAX_CONNECTIONS;
  if (
    connectionsNeeded > facts.maxConnections ||
    facts.maxConnections - facts.connections < MAX_CONNECTIONS
  ) {
    found.push(
      warning(
        "too few connections for the nodes",
        `raise max_connections: the ${facts.machines} connected nodes may open ${connectionsNeeded}`,
      ),
    );
  }
  if (ownsTables === false) {
    found.push(
      warning(
        "the tables of the state belong to another role",
        "make the role of DATABASE_URL the owner of all tables (ALTER TABLE … OWNER TO): upgrades change them",
      ),
    );
  }
  return found;
}

/**
 * Logs {@link databaseFindings} when a service starts. Never throws: errors that stop the service are logged elsewhere.
 */
export async function warnOfDatabase(
  url: string,
  processes: number,
  logger: Pick<Log["logger"], "warn">,
): Promise<void> {
  const facts = await databaseFacts(url).catch(() => undefined);
  if (facts === undefined) return;
  for (const { found, remedy } of databaseFindings(facts, processes)) {
    logger.warn({ found, remedy }, "the database is not configured as recommended");
  }
}

/** Checks the settings of a server. */
export function databaseSettings(facts: DatabaseFacts, processes: number): Finding {
  const summary = `PostgreSQL ${facts.version}, ${facts.connections} of ${facts.maxConnections} connections`;
  const all = databaseFindings(facts, processes);
  if (all.length === 0) return good(`${summary}, fsync and synchronous_commit are on`);
  return {
    condition: all.some((one) => one.condition === "problem") ? "problem" : "warning",
    found: [summary, ...all.map(({ found }) => found)].join("; "),
    remedy: all.map(({ remedy }) => remedy).join("; "),
  };
}

/** Compares the clock of a server with this machine's. @param facts the running query for the facts */
export async function databaseClock(facts: Promise<DatabaseFacts>, nowMs: () => number): Promise<Finding> {
  const beganMs = nowMs();
  const { nowMs: serverMs } = await facts;
  const aheadMs = nowMs() < serverMs ? serverMs - nowMs() : serverMs < beganMs ? serverMs - beganMs : 0;
  const shown = `the clock of the database, which rate windows and months follow, is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return good(shown);
  return warning(shown, "check which one is wrong, and use a time service on both");
}

/** Whether WAL is archived. */
export function archive(
  { isArchiving, archivedMs, archivingFailedMs }: DatabaseFacts,
  nowMs: number,
): Finding {
  const remedy = "see PostgreSQL in docs/backup-and-upgrade.md";
  if (!isArchiving)
    return warning(
      "archive_mode is off: the database can only be restored to a dump, not to any moment",
      remedy,
    );
  if (archivingFailedMs !== null && archivingFailedMs > (archivedMs ?? 0)) {
    return problem(
      `archive_command has been failing since ${new Date(archivingFailedMs).toISOString()}`,
      "see the server's log: WAL is filling its disk",
    );
  }
  if (archivedMs === null || nowMs - archivedMs > DAY_MS)
    return warning("no WAL has been archived for a day", `set archive_timeout; ${remedy}`);
  return good(`WAL was archived ${spanOf(nowMs - archivedMs)} ago`);
}
