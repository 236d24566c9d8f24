import { type Kysely, type RawBuilder, sql } from "kysely";
import { daysOfMonth, minuteStartMs, monthOf } from "../../lib/periods.ts";
import { EARLIER_ACCOUNT, ledgerLines } from "../ledgerLines.ts";
import { isNotDeleted } from "../owners.ts";
import { DELETE_EXPIRED_EVERY_MS, EXPIRED_RESERVATION_RETENTION_MS } from "../retention.ts";
import { ACCOUNT_TABLES, STEPPED_TABLES, type Tables } from "../schema/tables.ts";

const RESTORE = "restore the last good backup into another DATA_DIR, compare the two, and report this";

/** A rule that every state must satisfy. */
interface Rule {
  readonly name: string;
  /** The meaning of a violation, and the remedy. */
  readonly meaning: string;
  /** All violations, in words for operators. */
  readonly broken: RawBuilder<{ readonly what: string }>;
}

/** A month as in the days of the ledger, YYYY-MM. */
const MONTH_NAME = sql`(month / 12) || (case when month % 12 < 9 then '-0' else '-' end) || (month % 12 + 1)`;

/**
 * Totals: the numbers that decide whether a call is allowed must equal the spending in the ledger.
 * @param month only this one, as in `periods.ts`; all months by default
 */
function sums(db: Kysely<Tables>, isTest: boolean, month: number | undefined): Rule {
  const fromDay = month === undefined ? "" : daysOfMonth(month).first;
  const ofMonth = month === undefined ? sql`` : sql`and month = ${month}`;
  return {
    name: isTest ? "sums of test keys" : "sums",
    meaning: `an account's monthly total differs from its ledger lines: ${RESTORE}`,
    broken: sql`
      select held.account_id || ' in ' || held.name || ': ' || held.used || ' by the account, '
        || coalesce(spent.tokens, 0) || ' by the ledger' as what
      from (select account_id, used, ${MONTH_NAME} as name from account_months where is_test = ${isTest ? 1 : 0} ${ofMonth}) as held
      left join (
        select account_id, substr(day, 1, 7) as name, sum(tokens) as tokens from ${ledgerLines(db, isTest)}
        where day >= ${fromDay} group by account_id, substr(day, 1, 7)
      ) as spent on spent.account_id = held.account_id and spent.name = held.name
      where held.used <> coalesce(spent.tokens, 0)`,
  };
}

const WINDOWS: Rule = {
  name: "windows",
  meaning: `a key has an impossible rate window: ${RESTORE}`,
  broken: sql`select id as what from keys where minute < 0 or calls_in_minute < 0`,
};

/** An event must not have a number that another one will get, nor wait to be recorded again. */
const EVENTS: Rule = {
  name: "events of monitors",
  meaning: `an event was recorded that its account's figures do not count: ${RESTORE}`,
  broken: sql`
    select events.account_id || ' ' || events.id as what from events
    left join monitor_accounts on monitor_accounts.account_id = events.account_id
      and monitor_accounts.is_test = events.is_test
    where ${isNotDeleted("events")}
      and (events.sequence > coalesce(monitor_accounts.last_sequence, 0)
        or exists (select 1 from pending_changes where pending_changes.id = events.id))`,
};

function owners(): readonly Rule[] {
  const ofNone = (table: keyof Tables, but = sql``): Rule => ({
    name: `accounts of ${table}`,
    meaning: `rows of ${table} have no account: ${RESTORE}`,
    broken: sql`
      select distinct account_id as what from ${sql.table(table)}
      where account_id is not null
        and not exists (select 1 from accounts where accounts.id = ${sql.ref(`${table}.account_id`)}) ${but}`,
  });
  return [
    ...ACCOUNT_TABLES.map((table) => ofNone(table)),
    ...STEPPED_TABLES.map((table) => ofNone(table, sql`and ${isNotDeleted(table)}`)),
  ];
}

/** The rows of a key must belong to the key's account. */
function keys(db: Kysely<Tables>): Rule {
  const ofKey = (table: keyof Tables) =>
    sql`${isNotDeleted(table)} and not exists (select 1 from keys where keys.id = ${sql.ref(`${table}.key_id`)}
      and keys.account_id = ${sql.ref(`${table}.account_id`)})`;
  return {
    name: "keys",
    meaning: `usage or reservations are recorded under a key of another account: ${RESTORE}`,
    broken: sql`
      select distinct key_id || ' of ' || account_id as what from (
        select account_id, key_id from ${ledgerLines(db)} union all select account_id, key_id from ${ledgerLines(db, true)}
      ) as ledger
      where key_id <> ${EARLIER_ACCOUNT.keyId} and ${ofKey("ledger")}
      union select key_id || ' of ' || account_id from reservations where ${ofKey("reservations")}
      union select key_id || ' of ' || account_id from typing_sessions where ${ofKey("typing_sessions")}
      union select key_id || ' of ' || account_id from calls where ${ofKey("calls")}`,
  };
}

/** Expired reservations are released by the next call of the account, and deleted an hour later. */
async function reservations(db: Kysely<Tables>, nowMs: number): Promise<Rule> {
  const { minute } = await db
    .selectFrom("keys")
    .select((select) => select.fn.max("minute").as("minute"))
    .executeTakeFirstOrThrow();
  // To the minute; 0 if there is no decided call yet.
  const latestCallMs = minuteStartMs(Number(minute ?? 0));
  const lateMs = DELETE_EXPIRED_EVERY_MS * 3;
  const deletedByMs = Math.min(nowMs, latestCallMs) - EXPIRED_RESERVATION_RETENTION_MS - lateMs;
  return {
    name: "reservations",
    meaning:
      "a reservation is stale: it should have been deleted long ago, or it holds tokens for too long, because the clock was ahead; correct the clock, and report this",
    broken: sql`
      select id || ' of ' || account_id as what from reservations
      where expires_at_ms < ${deletedByMs} or (given_back = 0 and expires_at_ms > ${nowMs + EXPIRED_RESERVATION_RETENTION_MS})`,
  };
}

/**
 * Returns all rules; for a quick check only the cheap rules, and the totals of the current month.
 * @param nowMs the time of the store's clock
 */
export async function rulesOf(db: Kysely<Tables>, nowMs: number, isQuick: boolean): Promise<readonly Rule[]> {
  const stale = await reservations(db, nowMs);
  const month = isQuick ? monthOf(nowMs) : undefined;
  const agreeing = [false, true].map((isTest) => sums(db, isTest, month));
  if (isQuick) return [...agreeing, WINDOWS, stale];
  return [...agreeing, stale, WINDOWS, keys(db), EVENTS, ...owners()];
}
