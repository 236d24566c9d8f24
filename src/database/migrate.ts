import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { MIGRATIONS } from "./migrations/all.ts";
import type { Tables } from "./schema/tables.ts";
import { StateRefused } from "./stateErrors.ts";

/** Migrations by name, in order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Compares the tables with this program's. A `new` state has none yet. */
export interface Schema {
  readonly is: "new" | "older" | "current";
  /** The last migration of the tables. */
  readonly last: string;
  /** The last migration of this program. */
  readonly latest: string;
}

/** The last migration before and after an upgrade. */
export interface Upgrade {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads the version of the tables.
 * @throws {StateRefused} if a newer or unreleased version of the program changed them
 */
export async function schemaOf(db: Kysely<Tables>, migrations: Migrations = MIGRATIONS): Promise<Schema> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const applied = tables.some(({ name }) => name === "kysely_migration")
    ? await db
        .withTables<{ kysely_migration: { name: string } }>()
        .selectFrom("kysely_migration")
        .select("name")
        .orderBy("name")
        .execute()
    : [];
  const latest = Object.keys(migrations).at(-1) ?? "";
  const last = applied.at(-1)?.name ?? "";
  const unknown = applied.findLast(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) {
    const version = versionOf(unknown.name);
    const isKnown = version !== undefined && Object.keys(migrations).map(versionOf).includes(version);
    throw isKnown ? unreleasedStateError(last, version) : newerStateError(last, latest);
  }
  const isCurrent = applied.length === Object.keys(migrations).length;
  return { is: last === "" ? "new" : isCurrent ? "current" : "older", last, latest };
}

/** The version that a released migration is named after: `0002_1.1.0` after 1.1.0. */
function versionOf(migration: string): string | undefined {
  return /^\d+_(\d+\.\d+\.\d+)/.exec(migration)?.[1];
}

/** A version that this program knows has other migrations: they changed before its release. */
function unreleasedStateError(last: string, version: string): StateRefused {
  return new StateRefused(
    `the state was written by an unreleased build of opzoek ${version} (its last change is ${last}), which no release can read: restore the backup from before that build, or start with an empty DATA_DIR or database`,
  );
}

function newerStateError(last: string, latest: string): StateRefused {
  const version = versionOf(last);
  const needs = version === undefined ? "the version that ran before" : `opzoek ${version} or later`;
  return new StateRefused(
    `the state was written by a newer version of opzoek (its last change is ${last}, this version's is ${latest}): start ${needs}, or restore the backup from before the upgrade`,
  );
}

/** An older version of the program wrote the state. Only an explicit upgrade changes it. */
export class OlderState extends StateRefused {
  constructor({ last, latest }: Schema) {
    super(
      `the state was written by an older version of opzoek (its last change is ${last}, this version's is ${latest}): make a backup, then start the service or run "opzoek state migrate"; both upgrade the state, and older versions cannot use it afterwards`,
    );
  }
}

/**
 * Migrates the tables to this program's version. `isInTransaction`: the caller has begun a transaction and commits it,
 * so that no one else changes the tables in the meantime.
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
