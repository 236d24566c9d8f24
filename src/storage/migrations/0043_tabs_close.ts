import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * A key or an account that is changed or deleted so that it may have no tab loses it in the same transaction, whoever does it: this version closes it before, but
 * a node of the version before, or somebody at the database, knows of no tab (docs/decisions/0094-an-account-has-a-tab.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql.raw(CLOSES).execute(db);
  await sql
    .raw(`create or replace trigger opzoek_key_changes after update of revoked_at, ends_at, expires_at_ms, networks on keys for each row
      when (${COULD_HAVE} and num_nonnulls(new.revoked_at, new.ends_at, new.expires_at_ms, new.networks) > 0)
      execute function opzoek_close_tab()`)
    .execute(db);
  await sql
    .raw(`create or replace trigger opzoek_key_goes after delete on keys for each row when (${COULD_HAVE})
      execute function opzoek_close_tab()`)
    .execute(db);
  // Without a condition: what a node of the version before does under the lock of an account begins with an update that changes nothing.
  await sql
    .raw(`create or replace trigger opzoek_account_changes after update of tier, suspended on accounts for each row
      execute function opzoek_close_tab()`)
    .execute(db);
}

const COULD_HAVE = "num_nonnulls(old.revoked_at, old.ends_at, old.expires_at_ms, old.networks) = 0";

// Whoever changes the row holds it until the end, and has the key before the tab: who opens a tab leaves a key that is held, and who closes one waits for the key first.
// A snapshot that is older than the tab would not show it. The tables are those beside the one that was changed, whatever the session's path.
const CLOSES = `create or replace function opzoek_close_tab() returns trigger language plpgsql set search_path = pg_catalog as $$
    declare
      of_account text := to_jsonb(old) ->> case tg_table_name when 'keys' then 'account_id' else 'id' end;
      of_key text := case tg_table_name when 'keys' then to_jsonb(old) ->> 'id' end;
      tab record;
    begin
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'keys and accounts of opzoek are changed in transactions that are read committed';
      end if;
      perform set_config('search_path', 'pg_catalog, ' || quote_ident(tg_table_schema) || ', pg_temp', true);
      if of_key is null then
        perform from keys where id = (select key_id from account_tabs where account_id = of_account) for no key update;
      end if;
      delete from account_tabs where account_id = of_account and (of_key is null or key_id = of_key) returning * into tab;
      if not found then
        return null;
      end if;
      update account_months set used = tab.used where account_id = of_account and month = tab.month;
      update keys set minute = tab.minute, calls_in_minute = tab.calls_in_minute where id = tab.key_id;
      if tab.open_day is not null then
        insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
        values (of_account, tab.open_day, tab.key_id, tab.open_operation, tab.open_requests, tab.open_tokens, 0, 0)
        on conflict (account_id, day, key_id, operation) do update set
          requests = ledger.requests + excluded.requests, tokens = ledger.tokens + excluded.tokens;
      end if;
      return null;
    end $$`;
