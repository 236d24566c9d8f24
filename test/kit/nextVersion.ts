/** Preloaded into a program by tests: makes it the next version, which has one more change of the state's tables. */
import type { Kysely } from "kysely";
import { MIGRATIONS } from "../../src/storage/migrations/all.ts";
import type { Tables } from "../../src/storage/schema/tables.ts";

const { NEXT_CHANGE = "" } = process.env;

Object.assign(MIGRATIONS, {
  [NEXT_CHANGE]: {
    up: (db: Kysely<Tables>) => db.schema.alterTable("accounts").addColumn("next_note", "text").execute(),
  },
});
