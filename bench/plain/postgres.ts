import { Client, Pool } from "pg";
import {
  type Charged,
  LIMIT,
  OPERATION,
  type PlainCompany,
  type PlainKey,
  type PlainStore,
  periodsOf,
  TABLES,
} from "./design.ts";

const CONNECTIONS = 20;

const LOOK_UP = `
  with company as (select body from companies where kvk_number = $2),
  key as (
    update keys set minute = $3, calls = case when minute = $3 then calls else 0 end + 1
    from company where hash = $1 and (minute <> $3 or calls < ${LIMIT}) returning id, account_id, calls
  ),
  account as (
    update accounts set month = $4, used = case when month = $4 then used else 0 end + 1
    from key where accounts.id = key.account_id and (month <> $4 or used < ${LIMIT}) returning used
  ),
  line as (
    insert into ledger select account_id, id, $5, '${OPERATION}', 1, 1 from key, account
    on conflict (account_id, key_id, day, operation)
    do update set requests = ledger.requests + 1, tokens = ledger.tokens + 1
  )
  select calls::int, used::int, body from company, key, account`;

/** Creates the tables with keys and companies in an empty database. */
export async function createPostgres(
  url: string,
  keys: readonly PlainKey[],
  companies: readonly PlainCompany[],
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(TABLES);
  const numbers = keys.map(({ number }) => number);
  await client.query("insert into accounts select 'account-' || n, 0, 0 from unnest($1::int[]) as n", [
    numbers,
  ]);
  await client.query(
    "insert into keys select h, 'key-' || n, 'account-' || n, 0, 0 from unnest($1::text[], $2::int[]) as k (h, n)",
    [keys.map(({ hash }) => hash), numbers],
  );
  await client.query("insert into companies select * from unnest($1::text[], $2::text[])", [
    companies.map(({ kvkNumber }) => kvkNumber),
    companies.map(({ body }) => body),
  ]);
  await client.query("analyze");
  await client.end();
}

/** Charges each call by one statement on PostgreSQL. */
export function openPostgres(url: string): PlainStore {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS });
  return {
    async lookUp(keyHash, kvkNumber, nowMs) {
      const { minute, month, day } = periodsOf(nowMs);
      const values = [keyHash, kvkNumber, minute, month, day];
      const { rows } = await pool.query<Charged>({ name: "look_up", text: LOOK_UP, values });
      return rows[0];
    },
    close: () => pool.end(),
  };
}
