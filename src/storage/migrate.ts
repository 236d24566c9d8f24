import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { MIGRATIONS } from "./migrations/all.ts";
import { StateRefused } from "./stateStore.ts";
import type { Tables } from "./tables.ts";

/**
 * Whether the tables are those of this program's version; only reads.
 * @throws {StateRefused} when the state was written by a newer version
 */
export async function isUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const applied = (await db.introspection.getTables({ withInternalKyselyTables: true })).some(
    ({ name }) => name === "kysely_migration",
  )
    ? await db
        .withTables<{ kysely_migration: { name: string } }>()
        .selectFrom("kysely_migration")
        .select("name")
        .execute()
    : [];
  const unknown = applied.find(({ name }) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) {
    throw new StateRefused(
      `the state was written by a newer version of opzoek (it has the change ${unknown.name}): start that version`,
    );
  }
  return applied.length === Object.keys(MIGRATIONS).length;
}

/**
 * Brings the tables up to this program's version. `isInTransaction` says that the caller has begun one, and commits
 * it, so that nobody else changes the tables meanwhile.
 */
export async function migrate(
  db: Kysely<Tables>,
  { isInTransaction }: { isInTransaction: boolean },
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    disableTransactions: isInTransaction,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
