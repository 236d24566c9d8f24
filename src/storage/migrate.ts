import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { MIGRATIONS } from "./migrations/all.ts";
import type { Tables } from "./schema/tables.ts";
import { StateRefused } from "./stateStore.ts";

/** The changes of the tables by their names, in order. */
type Migrations = Readonly<Record<string, Migration>>;

/**
 * Whether the tables are those of this program's version; only reads.
 * @throws {StateRefused} when the state was written by a newer version
 */
export async function isUpToDate(db: Kysely<Tables>, migrations: Migrations = MIGRATIONS): Promise<boolean> {
  const applied = (await db.introspection.getTables({ withInternalKyselyTables: true })).some(
    ({ name }) => name === "kysely_migration",
  )
    ? await db
        .withTables<{ kysely_migration: { name: string } }>()
        .selectFrom("kysely_migration")
        .select("name")
        .execute()
    : [];
  const unknown = applied.find(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) {
    throw new StateRefused(
      `the state was written by a newer version of opzoek (it has the change ${unknown.name}): start that version`,
    );
  }
  return applied.length === Object.keys(migrations).length;
}

/**
 * Brings the tables up to this program's version. `isInTransaction` says that the caller has begun one, and commits
 * it, so that nobody else changes the tables meanwhile.
 */
export async function migrate(
  db: Kysely<Tables>,
  { isInTransaction, migrations = MIGRATIONS }: { isInTransaction: boolean; migrations?: Migrations },
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    disableTransactions: isInTransaction,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
