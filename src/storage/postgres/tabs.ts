import { arrayLiteral, columnLiterals } from "./arrayLiterals.ts";
import { callsOf, linesOf, tokensOf } from "./callGroups.ts";
import { BATCH_LAYOUT, NOW_MS } from "./commitOutcome.ts";
import { momentAt, type PricedGroups, tierColumns } from "./pricedGroups.ts";
import type { PreparedStatement } from "./statementGroup.ts";

// An account's tab: write-behind of all that a charge changes, in one row of its own. See docs/decisions/0094-an-account-has-a-tab.md for who opens
// one, who closes it and who reads it.

/**
 * Charges groups of calls to the open tabs of their accounts, in one statement and one transaction, which needs no other lock. A group is charged
 * by the conditions of a grant, or left as it is: where the tab is closed, is of another key or of a month that is over, or does not cover it.
 */
export function chargeTabsStatement({ id, groups, tiers, testNowMs }: PricedGroups): PreparedStatement {
  const more: { ordinal: number; operation: string; requests: number; tokens: number }[] = [];
  const rows = groups.map((group, index) => {
    const [first, ...others] = linesOf(group);
    for (const line of others) more.push({ ordinal: index + 1, ...line });
    return {
      accountId: group.accountId,
      keyId: group.keyId,
      calls: callsOf(group),
      ...tokensOf(group),
      operation: first?.operation ?? "",
      requests: first?.requests ?? 0,
      tokens: first?.tokens ?? 0,
    };
  });
  return {
    name: "opzoek_charge_tabs",
    text: CHARGE_TABS,
    values: [
      id,
      testNowMs ?? null,
      ...columnLiterals(rows, ["accountId", "keyId", "calls", "price", "charge"]),
      ...columnLiterals(rows, ["operation", "requests", "tokens"]),
      ...columnLiterals(more, ["ordinal", "operation", "requests", "tokens"]),
      ...tierColumns(tiers),
    ],
  };
}

// Conditions and changes are those of GRANT, see docs/decisions/0024-the-fast-path-copies-rules.md. The rows are locked in the order of their index, as
// whoever closes tabs does: the list is sorted, and each row looked up by the index, or the whole index is read, as the planner does while there are few tabs.
// When a row was changed by somebody who held it, PostgreSQL looks at the conditions again, for the row as it is then. The line that ends is
// kept in the row for as long as it takes to be told: only RETURNING knows what the row held before, and only by what it holds now.
const CHARGE_TABS = `with moment as (${momentAt("$2")}), charged as (
    update account_tabs as tab set
      used = tab.used + asked.charge,
      minute = moment.minute,
      calls_in_minute = asked.calls + case when tab.minute = moment.minute then tab.calls_in_minute else 0 end,
      open_day = moment.day, open_operation = asked.operation,
      open_requests = asked.requests + case when tab.open_day = moment.day and tab.open_operation = asked.operation
        then tab.open_requests else 0 end,
      open_tokens = asked.tokens + case when tab.open_day = moment.day and tab.open_operation = asked.operation
        then tab.open_tokens else 0 end,
      ended_day = case when tab.open_day = moment.day and tab.open_operation = asked.operation then null else tab.open_day end,
      ended_operation = tab.open_operation, ended_requests = tab.open_requests, ended_tokens = tab.open_tokens
    from moment cross join (
      select * from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::bigint[], $10::bigint[])
        with ordinality as list (account_id, key_id, calls, price, charge, operation, requests, tokens, ordinal)
      order by account_id
    ) as asked
    where tab.account_id = asked.account_id and tab.key_id = asked.key_id
      and tab.month = moment.month and tab.minute <= moment.minute
      and asked.price <= ($16::bigint[])[array_position($15::text[], tab.tier)] - tab.used
      and asked.calls <= ($17::bigint[])[array_position($15::text[], tab.tier)]
        - case when tab.minute = moment.minute then tab.calls_in_minute else 0 end
    returning asked.ordinal, tab.account_id, tab.key_id, tab.tier, tab.calls_in_minute, tab.used,
              tab.ended_day, tab.ended_operation, tab.ended_requests, tab.ended_tokens
  ), filed as (
    insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
    select account_id, day, key_id, operation, sum(requests), sum(tokens), 0, 0
    from (
      select account_id, ended_day as day, key_id, ended_operation as operation, ended_requests as requests, ended_tokens as tokens
      from charged where ended_day is not null
      union all
      select charged.account_id, moment.day, charged.key_id, more.operation, more.requests, more.tokens
      from moment cross join unnest($11::bigint[], $12::text[], $13::bigint[], $14::bigint[]) as more (ordinal, operation, requests, tokens)
      join charged on charged.ordinal = more.ordinal
    ) as ended
    group by account_id, day, key_id, operation
    on conflict (account_id, day, key_id, operation) do update set
      requests = ledger.requests + excluded.requests, tokens = ledger.tokens + excluded.tokens
  )
  insert into applied_batches (id, is_void, noted_at_ms, layout, granted)
  select $1, 0, ${NOW_MS}, ${BATCH_LAYOUT}, json_build_object(
    'nowMs', moment.now_ms,
    'granted', (select coalesce(json_agg(json_build_array(c.ordinal, c.tier, c.calls_in_minute, c.used)), '[]') from charged as c)
  )::text from moment
  returning granted`;

/**
 * Opens the tabs of accounts that the transaction has locked, as they are after what it has charged them, each for calls with one key. One that the node must look at is
 * left: whose key has an end, networks or is none for servers, or that is suspended, holds a reservation or has used nothing this month. A key whose row
 * somebody else holds is left too: it may be about to have an end, and its tab about to be closed by that.
 */
export function openTabsStatement(
  keyIds: readonly string[],
  testNowMs: number | undefined,
): PreparedStatement {
  return { name: "opzoek_open_tabs", text: OPEN_TABS, values: [testNowMs ?? null, arrayLiteral(keyIds)] };
}

/** What {@link openTabsStatement} tells. */
export interface OpenedTab {
  readonly account_id: string;
  readonly key_id: string;
}

const OPEN_TABS = `with moment as (${momentAt("$1")})
  insert into account_tabs (account_id, key_id, tier, month, used, minute, calls_in_minute)
  select k.account_id, k.id, a.tier, m.month, m.used, k.minute, k.calls_in_minute
  from moment cross join unnest($2::text[]) as asked (key_id)
  cross join lateral (
    select id, account_id, minute, calls_in_minute from keys
    where id = asked.key_id and revoked_at is null and ends_at is null and expires_at_ms is null and networks is null and kind = 'live'
    limit 1 for no key update skip locked
  ) as k
  cross join lateral (
    select tier from accounts where id = k.account_id and suspended = 0 and email <> id limit 1
  ) as a
  cross join lateral (
    select month, used from account_months where account_id = k.account_id order by month desc limit 1
  ) as m
  where m.month = moment.month
    and not exists (select from reservations where account_id = k.account_id and given_back = 0 limit 1)
    and not exists (select from account_tabs where account_id = k.account_id limit 1)
  on conflict (account_id) do nothing
  returning account_id, key_id`;

/**
 * Closes the tabs of accounts that the transaction has locked: from then on month, window and ledger tell by themselves what was used. What locks accounts
 * sends it behind the lock.
 */
export function closeTabsStatement(accountIds: readonly string[]): PreparedStatement {
  return { name: "opzoek_close_tabs", text: CLOSE_TABS, values: [arrayLiteral(accountIds)] };
}

/** The same for the accounts of keys, when it is not known whose they are. */
export function closeTabsOfStatement(keyIds: readonly string[]): PreparedStatement {
  return { name: "opzoek_close_tabs_of", text: CLOSE_TABS_OF, values: [arrayLiteral(keyIds)] };
}

// Tabs in the order in which a charge locks them, and behind their keys, as whoever changes a key has that first: so no two wait for each other.
const CLOSE_TABS = closeText("any($1::text[])");
const CLOSE_TABS_OF = closeText("any(array(select account_id from keys where id = any($1::text[])))");

function closeText(accountIds: string): string {
  return `with named as materialized (
    select account_id, key_id from account_tabs where account_id = ${accountIds}
  ), held_keys as materialized (
    select k.id from named cross join lateral (select id from keys where id = named.key_id limit 1 for no key update) as k
  ), held_tabs as materialized (
    select account_id from account_tabs
    where account_id in (select account_id from named) and (select count(*) from held_keys) >= 0 order by account_id for update
  ), closed as (
    delete from account_tabs as tab using held_tabs as held where tab.account_id = held.account_id returning tab.*
  ), months as (
    update account_months as m set used = closed.used from closed
    where m.account_id = closed.account_id and m.month = closed.month
  ), windows as (
    update keys set minute = closed.minute, calls_in_minute = closed.calls_in_minute from closed where keys.id = closed.key_id
  ), filed as (
    insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
    select account_id, open_day, key_id, open_operation, open_requests, open_tokens, 0, 0 from closed where open_day is not null
    on conflict (account_id, day, key_id, operation) do update set
      requests = ledger.requests + excluded.requests, tokens = ledger.tokens + excluded.tokens
  )
  select count(*) from closed`;
}
