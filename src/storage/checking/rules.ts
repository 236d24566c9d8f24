import { type Kysely, sql } from "kysely";
import { EARLIER_ACCOUNT } from "../../accounts/peopleStore.ts";
import { KEY_KINDS } from "../../contract/keyKinds.ts";
import { MOST_FOLLOWERS } from "../../contract/typingSession.ts";
import { MAX_KEPT_MS, NAME_BYTES, ROW_BYTES } from "../../metering/kept.ts";
import { daysOfMonth, minuteStartMs, monthOf } from "../../metering/periods.ts";
import { TABLES_OF_AN_ACCOUNT } from "../queries/deletion.ts";
import { STEPPED_TABLES } from "../queries/inSteps.ts";
import { ledgerLines } from "../queries/ledgerLines.ts";
import { isNotLeft } from "../queries/owners.ts";
import { DELETE_LAPSED_EVERY_MS, KEEP_LAPSED_MS } from "../queries/retention.ts";
import type { Tables } from "../tables.ts";
import { listRules } from "./listRules.ts";
import type { Rule } from "./rule.ts";

const HOUR_MS = 3_600_000;
/** Nobody has deleted it for so long, though services that run look every minute. */
const STALE_SESSION_MS = HOUR_MS;
const RESTORE = "restore the last good backup into another DATA_DIR, compare the two, and report this";

/** A month as the days of the ledger begin, YYYY-MM. */
const MONTH_NAME = sql`(month / 12) || (case when month % 12 < 9 then '-0' else '-' end) || (month % 12 + 1)`;

/**
 * The sums: what decides whether a call is allowed must be what the ledger says was spent.
 * @param month this one alone, as `periods.ts` counts; every month when it is left out
 */
function sums(db: Kysely<Tables>, isTest: boolean, month: number | undefined): Rule {
  const fromDay = month === undefined ? "" : daysOfMonth(month).first;
  const ofMonth = month === undefined ? sql`` : sql`and month = ${month}`;
  return {
    name: `sums${ofTestKeys(isTest)}`,
    meaning: `an account's month and its lines in the ledger tell different sums: ${RESTORE}`,
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

function ofTestKeys(isTest: boolean): string {
  return isTest ? " of test keys" : "";
}

/** Figures that can only grow. */
function figures(db: Kysely<Tables>, isTest: boolean): Rule {
  return {
    name: `figures${ofTestKeys(isTest)}`,
    meaning: `a figure is below 0, or a day is none: ${RESTORE}`,
    broken: sql`
      select 'ledger of ' || account_id || ' on ' || day as what from ${ledgerLines(db, isTest)}
      where requests < 0 or tokens < 0 or refused_rate < 0 or refused_allowance < 0 or failed_caller < 0 or failed_service < 0
        or sessions < 0 or session_calls < sessions
        or day not like '____-__-__'
      union all select 'month of ' || account_id from account_months where is_test = ${isTest ? 1 : 0} and (used < 0 or month <= 0)
      union all select 'reservation ' || id from reservations where is_test = ${isTest ? 1 : 0} and tokens < 0
      ${isTest ? sql`` : sql`union all select 'answers kept for ' || account_id from kept_totals where answers < 0 or bytes < 0`}`,
  };
}

function windows(): Rule {
  return {
    name: "windows",
    meaning: `a key has an impossible rate window: ${RESTORE}`,
    broken: sql`select id as what from keys where minute < 0 or calls_in_minute < 0`,
  };
}

function kinds(): Rule {
  return {
    name: "kinds of keys",
    meaning: `a key is of a kind that this version does not know, so that it may be refused or allowed too much: ${RESTORE}`,
    broken: sql`select id as what from keys where kind not in (${sql.join(KEY_KINDS)})`,
  };
}

function owners(): readonly Rule[] {
  const ofNone = (table: keyof Tables, but = sql``): Rule => ({
    name: `accounts of ${table}`,
    meaning: `rows of ${table} belong to no account: ${RESTORE}`,
    broken: sql`
      select distinct account_id as what from ${sql.table(table)}
      where account_id is not null
        and not exists (select 1 from accounts where accounts.id = ${sql.ref(`${table}.account_id`)}) ${but}`,
  });
  return [
    ...TABLES_OF_AN_ACCOUNT.map((table) => ofNone(table)),
    ...STEPPED_TABLES.map((table) => ofNone(table, sql`and ${isNotLeft(table)}`)),
  ];
}

/** What a key did is filed under the account that it belongs to. */
function keys(db: Kysely<Tables>): Rule {
  const ofKey = (table: keyof Tables) =>
    sql`${isNotLeft(table)} and not exists (select 1 from keys where keys.id = ${sql.ref(`${table}.key_id`)}
      and keys.account_id = ${sql.ref(`${table}.account_id`)})`;
  return {
    name: "keys",
    meaning: `what was used, set aside or noted is filed under a key that its account does not have: ${RESTORE}`,
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

/** A reservation that is over is given back with its account's next call, and deleted an hour later by whoever decides calls. */
function reservations(nowMs: number, latestCallMs: number): Rule {
  const lateMs = DELETE_LAPSED_EVERY_MS * 3;
  const deletedByMs = Math.min(nowMs, latestCallMs) - KEEP_LAPSED_MS - lateMs;
  return {
    name: "reservations",
    meaning:
      "a reservation is stale: calls were decided long after it should have been deleted, or it sets tokens aside for longer than any may, as one does that a clock made which was ahead; put the clock right, and report this",
    broken: sql`
      select id || ' of ' || account_id as what from reservations
      where expires_at_ms < ${deletedByMs} or (given_back = 0 and expires_at_ms > ${nowMs + KEEP_LAPSED_MS})`,
  };
}

/** A session of typing is over after minutes, and deleted by whoever decides calls. */
function typingSessions(nowMs: number, latestCallMs: number): Rule {
  const deletedByMs = Math.min(nowMs, latestCallMs) - STALE_SESSION_MS;
  return {
    name: "typing sessions",
    meaning: `a session of typing is stale, as calls were decided long after it should have been deleted, or more calls followed in it than may: ${RESTORE}`,
    broken: sql`
      select 'one of ' || key_id as what from typing_sessions
      where began_at_ms < ${deletedByMs} or followers < 0 or followers > ${MOST_FOLLOWERS}`,
  };
}

/** An answer that is over is deleted within minutes by a service that runs. */
function kept(nowMs: number, latestCallMs: number): Rule {
  const deletedByMs = Math.min(nowMs, latestCallMs) - KEEP_LAPSED_MS;
  return {
    name: "kept answers",
    meaning:
      "an answer that was kept for who asks again is stale: calls were decided long after it should have been deleted, or it is kept for longer than any may be, as by a clock that was ahead; see that a service runs on this state, put the clock right, and report this",
    broken: sql`
      select id || ' of ' || account_id as what from kept_answers
      where expires_at_ms < ${deletedByMs} or expires_at_ms > ${nowMs + MAX_KEPT_MS + 2 * KEEP_LAPSED_MS}`,
  };
}

/**
 * What counts against the bounds of accounts is what is kept for them, hour by hour. An hour in which answers are already over is left out:
 * they are deleted one by one, and the hour as a whole.
 */
function keptTotals(nowMs: number): Rule {
  const bytes = sql`octet_length(answer) + ${sql.lit(ROW_BYTES)}
    + ${sql.lit(NAME_BYTES)} * ((length(names) - length(replace(names, '"', ''))) / 2)`;
  const endsAtMs = sql`(expires_at_ms + ${sql.lit(HOUR_MS - 1)}) / ${sql.lit(HOUR_MS)} * ${sql.lit(HOUR_MS)}`;
  return {
    name: "sums of kept answers",
    meaning:
      "what is kept of an account is not what counts against its bounds, so that too few answers are kept for who asks again, or too many; it is right again once those that are kept now are over, a week later: report this",
    broken: sql`
      select account_id || ' until ' || ends_at_ms || ': ' || sum(counted) || ' counted, ' || sum(kept) || ' kept' as what
      from (
        select account_id, ends_at_ms, answers as counted, bytes as counted_bytes, 0 as kept, 0 as kept_bytes, 0 as withdrawn
        from kept_totals
        union all
        select account_id, ${endsAtMs}, 0, 0, 1, ${bytes}, case when answer = '' then 1 else 0 end from kept_answers
        where ${isNotLeft("kept_answers")}
      ) as both_sides
      where ends_at_ms > ${nowMs + 2 * HOUR_MS} and ends_at_ms <= ${nowMs + MAX_KEPT_MS}
      group by account_id, ends_at_ms
      having sum(counted) <> sum(kept) or sum(counted_bytes) < sum(kept_bytes)
        or (sum(withdrawn) = 0 and sum(counted_bytes) <> sum(kept_bytes))`,
  };
}

/** When a call was decided last, to the minute; 0 when none was. */
async function latestCallMs(db: Kysely<Tables>): Promise<number> {
  const { minute } = await db
    .selectFrom("keys")
    .select((select) => select.fn.max("minute").as("minute"))
    .executeTakeFirstOrThrow();
  return minuteStartMs(Number(minute ?? 0));
}

/**
 * Every rule; of a quick look those that take a glance, and the sums of the present month alone.
 * @param nowMs by the store's clock
 */
export async function rulesOf(db: Kysely<Tables>, nowMs: number, isQuick: boolean): Promise<readonly Rule[]> {
  const latestMs = await latestCallMs(db);
  const stale = reservations(nowMs, latestMs);
  const month = isQuick ? monthOf(nowMs) : undefined;
  const agreeing = [false, true].map((isTest) => sums(db, isTest, month));
  if (isQuick) return [...agreeing, windows(), stale];
  return [
    ...agreeing,
    stale,
    windows(),
    kinds(),
    typingSessions(nowMs, latestMs),
    kept(nowMs, latestMs),
    keptTotals(nowMs),
    ...listRules(nowMs, latestMs),
    ...[false, true].map((isTest) => figures(db, isTest)),
    keys(db),
    ...owners(),
  ];
}
