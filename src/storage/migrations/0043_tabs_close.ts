import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * A key or an account that is changed so that it may have no tab loses it in the same transaction, whoever changes it: this version closes it before, but a
 * node of the version before, or somebody at the database, knows of no tab (docs/decisions/0094-an-account-has-a-tab.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Whoever changes the row holds it until the end: who opens a tab waits for that, or is waited for.
  await sql`create function opzoek_close_tab() returns trigger language plpgsql set search_path from current as ${sql.raw(`$$
    declare
      of_account text := to_jsonb(new) ->> tg_argv[0];
      tab account_tabs%rowtype;
    begin
      delete from account_tabs where account_id = of_account returning * into tab;
      if tab.account_id is not null then
        update account_months set used = tab.used where account_id = of_account and month = tab.month;
        update keys set minute = tab.minute, calls_in_minute = tab.calls_in_minute where id = tab.key_id;
        if tab.open_day is not null then
          insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
          values (of_account, tab.open_day, tab.key_id, tab.open_operation, tab.open_requests, tab.open_tokens, 0, 0)
          on conflict (account_id, day, key_id, operation) do update set
            requests = ledger.requests + excluded.requests, tokens = ledger.tokens + excluded.tokens;
        end if;
      end if;
      return null;
    end $$`)}`.execute(db);
  await sql`create trigger opzoek_close_tab after update of revoked_at, ends_at, expires_at_ms, networks on keys for each row
    when (num_nonnulls(old.revoked_at, old.ends_at, old.expires_at_ms, old.networks) = 0
      and num_nonnulls(new.revoked_at, new.ends_at, new.expires_at_ms, new.networks) > 0)
    execute function opzoek_close_tab('account_id')`.execute(db);
  await sql`create trigger opzoek_close_tab after update of tier, suspended on accounts for each row
    when (old.tier is distinct from new.tier or old.suspended is distinct from new.suspended)
    execute function opzoek_close_tab('id')`.execute(db);
}
