import { INSOLVENCY_TABLES } from "./insolvency.ts";
import { JOB_TABLES } from "./jobs.ts";
import { METERING_TABLES } from "./metering.ts";
import { MONITOR_SOURCE_TABLES } from "./monitorSources.ts";
import { MONITOR_TABLES } from "./monitors.ts";
import { PEOPLE_TABLES } from "./people.ts";
import type { Column, Columns, LargeRows, Table } from "./table.ts";
import { UPSTREAM_TABLES } from "./upstream.ts";
import { WEBHOOK_TABLES } from "./webhooks.ts";

const DEFINED = {
  ...METERING_TABLES,
  ...UPSTREAM_TABLES,
  ...PEOPLE_TABLES,
  ...JOB_TABLES,
  ...MONITOR_TABLES,
  ...MONITOR_SOURCE_TABLES,
  ...INSOLVENCY_TABLES,
  ...WEBHOOK_TABLES,
};

export type Definitions = typeof DEFINED;

type StoredRow<Own extends Columns> = {
  [Name in keyof Own]: Own[Name] extends Column<infer Value, unknown, unknown> ? Value : never;
};

/**
 * The tables of the state; see `../migrations/`. Flags are 0 or 1. Columns that end in `_ms` are Unix milliseconds,
 * other times ISO 8601 UTC. A `day` is YYYY-MM-DD, UTC unless stated otherwise. `is_test` marks the ledger of test
 * keys.
 */
export type Tables = { [Name in keyof Definitions]: StoredRow<Definitions[Name]["columns"]> };

/** The definitions of all tables. A table comes after the tables that it refers to. */
export const TABLES: Readonly<Record<keyof Tables, Table>> = DEFINED;

const NAMES = Object.keys(DEFINED) as readonly (keyof Tables)[];

/** The tables of a state, in the order in which they can be filled. */
export const TRANSFERRED_TABLES = NAMES.filter((name) => TABLES[name].isMoved);

/** A table with large rows of accounts. */
export type SteppedTable = {
  [Name in keyof Definitions]: Definitions[Name]["whenDeleted"] extends LargeRows ? Name : never;
}[keyof Definitions];

/** How the rows of such a table are found and measured. */
export function largeRowsOf(table: SteppedTable): LargeRows {
  return DEFINED[table].whenDeleted;
}

/** Another table with rows of accounts. */
export type OwnTable = {
  [Name in keyof Definitions]: Definitions[Name]["whenDeleted"] extends string ? Name : never;
}[keyof Definitions];

export const STEPPED_TABLES = NAMES.filter(
  (name): name is SteppedTable => typeof TABLES[name].whenDeleted === "object",
);

/** In the order of deletion: rows before the rows that they refer to. */
export const ACCOUNT_TABLES = NAMES.filter(
  (name): name is OwnTable => typeof TABLES[name].whenDeleted === "string",
).toReversed();

export const AT_ONCE = ACCOUNT_TABLES.filter((name) => TABLES[name].whenDeleted === "at once");

export const IN_STEPS = ACCOUNT_TABLES.filter((name) => TABLES[name].whenDeleted === "in steps");
