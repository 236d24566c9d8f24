/** Preloaded into a program by tests: turns it into the next version, with one more migration of the state. */
import type { Kysely } from "kysely";
import { MIGRATIONS } from "../../src/database/migrations/all.ts";
import type { Tables } from "../../src/database/schema/tables.ts";

const { NEXT_CHANGE = "" } = process.env;

Object.assign(MIGRATIONS, {
  [NEXT_CHANGE]: {
    up: (db: Kysely<Tables>) => db.schema.alterTable("accounts").addColumn("next_note", "text").execute(),
  },
});
