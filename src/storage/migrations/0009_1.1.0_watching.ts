import { type Kysely, sql } from "kysely";

// `../schema/monitors.ts` describes the columns.

const WATCHING = `
  alter table monitor_accounts add column waits integer not null default 0;
  create table shown_companies (
    account_id text not null references accounts (id) on delete cascade, month integer not null,
    kvk_number text not null, primary key (account_id, month, kvk_number)
  );
  create index shown_companies_by_month on shown_companies (month);
  create index shown_companies_by_company on shown_companies (kvk_number)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of WATCHING.split(";")) await sql.raw(statement).execute(db);
}
