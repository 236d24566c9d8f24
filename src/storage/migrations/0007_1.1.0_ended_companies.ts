import { type Kysely, sql } from "kysely";

/** The companies that have ended by open data, which every process reads again and again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists insolvencies_by_end on insolvencies (kvk_number)
    where is_active = 0 and is_monitored = 1`.execute(db);
}
