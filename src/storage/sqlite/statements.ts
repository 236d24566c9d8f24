import type { DatabaseSync } from "node:sqlite";

/** The statements of the hot path, prepared once. */
export function prepareStatements(database: DatabaseSync) {
  return {
    begin: database.prepare("begin immediate"),
    commit: database.prepare("commit"),
    rollback: database.prepare("rollback"),
    key: database.prepare(
      `select k.account_id, k.revoked_at is not null as revoked, k.ends_at, k.minute, k.calls_in_minute
       from keys k where k.id = ?`,
    ),
    keyId: database.prepare("select id from keys where hash = ?"),
    account: database.prepare("select tier, suspended from accounts where id = ?"),
    latestMonth: database.prepare(
      "select month, used from account_months where account_id = ? order by month desc limit 1",
    ),
    held: database.prepare(
      `select coalesce(sum(case when month = ? then tokens end), 0) as tokens, min(expires_at_ms) as next_expiry
       from reservations where account_id = ? and given_back = 0`,
    ),
    giveBack: database.prepare(
      "update reservations set given_back = 1 where account_id = ? and given_back = 0 and expires_at_ms <= ?",
    ),
    reservation: database.prepare(
      "select operation, month, tokens, expires_at_ms, given_back from reservations where id = ? and key_id = ?",
    ),
    usedInMonth: database.prepare(
      `select (select coalesce(sum(tokens), 0) from ledger where account_id = ?1 and day between ?2 and ?3)
            + (select coalesce(sum(open_tokens), 0) from keys where account_id = ?1 and open_day between ?2 and ?3)
            as used`,
    ),
    writeWindow: database.prepare("update keys set minute = ?, calls_in_minute = ? where id = ?"),
    writeMonth: database.prepare(
      `insert into account_months (account_id, month, used) values (?, ?, ?)
       on conflict (account_id, month) do update set used = excluded.used`,
    ),
    takeBack: database.prepare("delete from account_months where account_id = ? and month > ?"),
    reserve: database.prepare(
      `insert into reservations (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back)
       values (?, ?, ?, ?, ?, ?, ?, 0)`,
    ),
    unreserve: database.prepare("delete from reservations where id = ?"),
    deleteLapsed: database.prepare("delete from reservations where expires_at_ms < ?"),
    writeLedger: database.prepare(
      `insert into ledger (account_id, key_id, day, operation, requests, tokens, refused_rate, refused_allowance)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (account_id, day, key_id, operation) do update set
         requests = requests + excluded.requests,
         tokens = tokens + excluded.tokens,
         refused_rate = refused_rate + excluded.refused_rate,
         refused_allowance = refused_allowance + excluded.refused_allowance`,
    ),
    probe: database.prepare("update probe set probed_at_ms = ? where id = 1"),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;
