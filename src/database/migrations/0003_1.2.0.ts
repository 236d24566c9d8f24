import { type Kysely, sql } from "kysely";

/** Further fields of KVK's open data. */
const OPEN_DATA = `
  alter table insolvencies add column activities text;
  alter table insolvencies add column start_date text;
`;

/** The replica of the court's register. */
const COURT = `
  create table court_cases (id text primary key, case_number text not null, list_ms bigint not null, data text not null);
  create index court_cases_by_number on court_cases (case_number);
  create table court_due (publication text primary key, is_removed integer not null);
  create table court_numbers (kvk_number text primary key, changed_at_ms bigint not null);
  create index court_numbers_by_change on court_numbers (changed_at_ms);
  create table court_removed (
    case_number text not null, kvk_number text not null, removed_at_ms bigint not null,
    primary key (case_number, kvk_number)
  );
  create table court_replica (
    id integer primary key, version bigint not null, modified_from text not null, removed_from text not null,
    needs_removals integer not null, load_ms bigint not null, complete_at_ms bigint not null, held text not null
  );
`;

/** Answers of the Peppol network. */
const PEPPOL = `
  create table peppol_verdicts (kvk_number text primary key, data text not null, checked_at_ms bigint not null);
  create index peppol_verdicts_by_age on peppol_verdicts (checked_at_ms);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [OPEN_DATA, COURT, PEPPOL].join("").split(";")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
