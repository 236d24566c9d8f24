import type { DatabaseFacts } from "../../storage/postgres/databaseFacts.ts";
import { type Found, good, problem, spanOf, warning } from "./diagnosis.ts";

/** The oldest that the store's tests passed with. */
const LEAST_VERSION = 15;
/** Of one node, see `postgresState.ts`. */
const CONNECTIONS_OF_A_NODE = 8;
const DAY_MS = 86_400_000;
const MOST_SKEW_MS = 30_000;

/** A database, by what it says of itself. */
export class DatabaseExamined {
  readonly #facts: Promise<DatabaseFacts>;

  constructor(facts: Promise<DatabaseFacts>) {
    this.#facts = facts;
    // Told by each check that needs it.
    this.#facts.catch(() => {});
  }

  async settings(): Promise<Found> {
    const { version, fsync, synchronousCommit, maxConnections, connections, ownsTables } = await this.#facts;
    const shown = `PostgreSQL ${version}, ${connections} of ${maxConnections} connections`;
    if (!fsync || !synchronousCommit) {
      return problem(
        `${shown}; ${fsync ? "synchronous_commit" : "fsync"} is off`,
        "turn it on: a charge that was answered may be lost",
      );
    }
    if (Number.parseInt(version, 10) < LEAST_VERSION) {
      return warning(shown, `the store was tried with ${LEAST_VERSION} and 18: upgrade the server`);
    }
    if (maxConnections - connections < CONNECTIONS_OF_A_NODE) {
      return warning(shown, `one node opens up to ${CONNECTIONS_OF_A_NODE}: raise max_connections`);
    }
    if (ownsTables === false) {
      return warning(
        `${shown}; the tables of the state are of another role`,
        "have the role of DATABASE_URL own them all (ALTER TABLE … OWNER TO): each version changes them at its start",
      );
    }
    return good(`${shown}, fsync and synchronous_commit on`);
  }

  async clock(nowMs: () => number): Promise<Found> {
    const beganMs = nowMs();
    const { nowMs: toldMs } = await this.#facts;
    const aheadMs = nowMs() < toldMs ? toldMs - nowMs() : toldMs < beganMs ? toldMs - beganMs : 0;
    const shown = `the database's clock, which windows and months go by, is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
    if (Math.abs(aheadMs) <= MOST_SKEW_MS) return good(shown);
    return warning(shown, "see which is wrong, and have both kept by a time service");
  }

  async archive(nowMs: number): Promise<Found> {
    const { isArchiving, archivedMs, archivingFailedMs } = await this.#facts;
    const remedy = "see PostgreSQL under Backup and restore in docs/operations.md";
    if (!isArchiving)
      return warning("archive_mode is off: no moment can be gone back to between two dumps", remedy);
    if (archivingFailedMs !== null && archivingFailedMs > (archivedMs ?? 0)) {
      return problem(
        `archive_command fails since ${new Date(archivingFailedMs).toISOString()}`,
        "see the server's log: WAL fills its disk meanwhile",
      );
    }
    if (archivedMs === null || nowMs - archivedMs > DAY_MS)
      return warning("no WAL was archived for a day", `set archive_timeout; ${remedy}`);
    return good(`WAL was archived ${spanOf(nowMs - archivedMs)} ago`);
  }
}
