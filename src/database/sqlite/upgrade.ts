import { DatabaseSync } from "node:sqlite";
import { type Migrations, migrate, schemaOf, type Upgrade } from "../migrate.ts";
import { StateRefused } from "../stateErrors.ts";
import { kyselyOverSqlite } from "./driver.ts";
import { asRefused, BUSY_TIMEOUT_MS, checkWhole } from "./stateFile.ts";

/**
 * Upgrades an embedded state to this program's version, irreversibly. The caller has locked its folder.
 * @returns undefined if it is up to date
 * @throws {StateRefused} if the file is damaged, newer than this program, or cannot be opened; it is then unchanged
 */
export async function upgradeSqliteState(
  path: string,
  migrations?: Migrations,
): Promise<Upgrade | undefined> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    const db = kyselyOverSqlite(database);
    const { is, last, latest } = await schemaOf(db, migrations);
    if (is !== "older") return undefined;
    checkWhole(database);
    database.exec("pragma synchronous = full; pragma foreign_keys = on; begin immediate");
    await migrate(db, { isInTransaction: true, ...(migrations && { migrations }) });
    database.exec("commit");
    return { from: last, to: latest };
  } catch (error) {
    throw error instanceof StateRefused ? error : asRefused(path, error);
  } finally {
    // Closing rolls back an uncommitted upgrade.
    database?.close();
  }
}
