import type { PoolClient, QueryResult } from "pg";
import { columnLiterals } from "./arrayLiterals.ts";
import { callsOf, type Line, linesOf, tokensOf } from "./callGroups.ts";
import type { TransactionEnd } from "./commitOutcome.ts";
import { BATCH_LAYOUT, NOW_MS } from "./commitOutcome.ts";
import { corkForNow } from "./connect.ts";
import { endsConnection } from "./failures.ts";
import { type Grants, grantsOf, momentAt, type PricedGroups, tierColumns } from "./pricedGroups.ts";
import { type PreparedStatement, rowsOf, runTogether } from "./statementGroup.ts";
import { holdAccounts } from "./statements.ts";
import { chargeTabsStatement, type OpenedTab, openTabsStatement } from "./tabs.ts";

export interface GrantWork extends PricedGroups {
  /** Of those keys whose accounts are to have a tab from now on. */
  readonly keysForTabs: readonly string[];
}

export interface Granted {
  readonly grants: Grants;
  /** The tabs that were opened, and those that were open, so that nothing was granted of their accounts. */
  readonly tabs: readonly OpenedTab[];
}

/**
 * The fast path: grants groups of calls in one transaction, one message and one answer. The database itself finds
 * which groups are granted without more ado by the rules of `decide`: those whose account has been active this month, holds no
 * reservation and covers each price in turn, and whose key has room for all in its minute and no end. All else is left as it is, for
 * `decide`. The lock is a statement before the one that grants, so that this one sees what was committed while it was waited for; the
 * server runs and commits the two as one. Never throws for what the database does.
 * @param onSent called when the transaction is on its way: the next one may follow in the same packet
 */
export async function grantByFastPath(
  client: PoolClient,
  work: GrantWork,
  onSent: () => void,
): Promise<TransactionEnd<Granted>> {
  corkForNow(client);
  const hold = holdAccounts(work.groups.map(({ accountId }) => accountId));
  const opening = work.keysForTabs.length > 0 ? [openTabsStatement(work.keysForTabs, work.testNowMs)] : [];
  const sent = runTogether(client, [hold, grantStatement(work), ...opening]);
  onSent();
  return endOf(
    sent,
    (results) => {
      const granted = grantedOf(work, toldBy(results[1]));
      return { ...granted, tabs: [...granted.tabs, ...rowsOf<OpenedTab>(results[2])] };
    },
    (told) => grantedOf(work, told),
  );
}

/**
 * The fastest path: charges groups of calls to the open tabs of their accounts, in one statement. What is not charged is left as it is. Never
 * throws for what the database does.
 * @param onSent called when the transaction is on its way: the next one may follow in the same packet
 */
export async function chargeByTabs(
  client: PoolClient,
  work: PricedGroups,
  onSent: () => void,
): Promise<TransactionEnd<Grants>> {
  corkForNow(client);
  const sent = runTogether(client, [chargeTabsStatement(work)]);
  onSent();
  return endOf(
    sent,
    (results) => grantsOf(work, toldBy(results[0])),
    (told) => grantsOf(work, told),
  );
}

function toldBy(result: QueryResult | undefined): string | null {
  return rowsOf<{ granted: string | null }>(result)[0]?.granted ?? null;
}

function grantedOf(work: PricedGroups, told: string | null): Granted {
  const tabs: OpenedTab[] = [];
  if (told !== null) {
    const read: { readonly tabs: readonly (readonly [accountId: string, keyId: string])[] } =
      JSON.parse(told);
    for (const [accountId, keyId] of read.tabs) tabs.push({ account_id: accountId, key_id: keyId });
  }
  return { grants: grantsOf(work, told), tabs };
}

async function endOf<Result>(
  sent: Promise<readonly QueryResult[]>,
  resultOf: (results: readonly QueryResult[]) => Result,
  resultOfRow: (granted: string | null) => Result,
): Promise<TransactionEnd<Result>> {
  const [ended] = await Promise.allSettled([sent]);
  if (ended.status === "fulfilled") return { kind: "committed", result: resultOf(ended.value) };
  const error: unknown = ended.reason;
  // What the server itself refused, it did not commit. When it says nothing it may have, and so when the connection ends with an error: a pooler
  // between makes one of its own (08P01) where it has lost the server, whatever that had done.
  return endsConnection(error)
    ? { kind: "unknown", error, resultOf: resultOfRow }
    : { kind: "failed", error };
}

function grantStatement({ id, groups, tiers, testNowMs }: PricedGroups): PreparedStatement {
  const lines: Line[] = [];
  const rows = groups.map((group) => {
    const firstLine = lines.length + 1;
    lines.push(...linesOf(group));
    return {
      accountId: group.accountId,
      keyId: group.keyId,
      calls: callsOf(group),
      ...tokensOf(group),
      firstLine,
      lastLine: lines.length,
    };
  });
  return {
    name: "opzoek_grant",
    text: GRANT,
    values: [
      id,
      testNowMs ?? null,
      ...columnLiterals(rows, ["keyId", "calls", "price", "charge", "firstLine", "lastLine"]),
      ...columnLiterals(lines, ["operation", "requests", "tokens"]),
      ...tierColumns(tiers),
      ...columnLiterals(rows, ["accountId"]),
    ],
  };
}

// `grantable` holds the conditions of `decide` for a grant; docs/decisions/0024-the-fast-path-copies-rules.md names the rule beside
// each of them. Each row is looked up in a query of its own that ends at the first: by index, unless it was planned for tables of a
// few rows (see `pipeline.ts`). The accounts are locked by the statement before, so that this one sees all that was committed before.
const GRANT = `with moment as (${momentAt("$2")}
  ), tabbed as materialized (
    select asked.ordinal, tab.account_id, tab.key_id
    from unnest($15::text[]) with ordinality as asked (account_id, ordinal)
    cross join lateral (select account_id, key_id from account_tabs where account_id = asked.account_id limit 1) as tab
  ), grantable as materialized (
    select asked.ordinal, asked.key_id, asked.charge, k.account_id, a.tier, m.used + asked.charge as used,
           asked.calls + case when k.minute = moment.minute then k.calls_in_minute else 0 end as calls,
           asked.first_line, asked.last_line, k.open_day, k.open_operation, k.open_requests, k.open_tokens,
           (k.open_day = moment.day and k.open_operation = ($9::text[])[asked.first_line]) is true as goes_on
    from moment
    cross join unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::integer[], $8::integer[])
      with ordinality as asked (key_id, calls, price, charge, first_line, last_line, ordinal)
    cross join lateral (
      select account_id, minute, calls_in_minute, open_day, open_operation, open_requests, open_tokens from keys
      where id = asked.key_id and revoked_at is null and ends_at is null and minute <= moment.minute
        and kind = 'live' and networks is null and (expires_at_ms is null or expires_at_ms > moment.now_ms) limit 1
    ) as k
    cross join lateral (select tier from accounts where id = k.account_id and suspended = 0 limit 1) as a
    cross join lateral (
      select tokens, rate from unnest($12::text[], $13::bigint[], $14::bigint[]) as t (name, tokens, rate)
      where name = a.tier limit 1
    ) as tier
    cross join lateral (
      select month, used from account_months where account_id = k.account_id order by month desc limit 1
    ) as m
    where m.month = moment.month and asked.price <= tier.tokens - m.used
      and asked.calls <= tier.rate - case when k.minute = moment.minute then k.calls_in_minute else 0 end
      and not exists (select from reservations where account_id = k.account_id and given_back = 0 limit 1)
      and not exists (select from tabbed where tabbed.ordinal = asked.ordinal)
  ), windows as (
    update keys set
      minute = moment.minute, calls_in_minute = p.calls,
      open_day = moment.day, open_operation = ($9::text[])[p.first_line],
      open_requests = ($10::bigint[])[p.first_line] + case when p.goes_on then p.open_requests else 0 end,
      open_tokens = ($11::bigint[])[p.first_line] + case when p.goes_on then p.open_tokens else 0 end
    from grantable as p cross join moment where keys.id = p.key_id
  ), months as (
    update account_months as m set used = p.used
    from grantable as p cross join moment
    where m.account_id = p.account_id and m.month = moment.month and p.charge > 0
  ), filed as (
    insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
    select account_id, day, key_id, operation, sum(requests), sum(tokens), 0, 0
    from (
      select account_id, open_day as day, key_id, open_operation as operation,
             open_requests as requests, open_tokens as tokens
      from grantable where open_day is not null and not goes_on
      union all
      select p.account_id, moment.day, p.key_id, ($9::text[])[line], ($10::bigint[])[line], ($11::bigint[])[line]
      from grantable as p cross join moment cross join lateral generate_series(p.first_line + 1, p.last_line) as line
    ) as ended
    group by account_id, day, key_id, operation
    on conflict (account_id, day, key_id, operation) do update set
      requests = ledger.requests + excluded.requests, tokens = ledger.tokens + excluded.tokens
  )
  insert into applied_batches (id, is_void, noted_at_ms, layout, granted)
  select $1, 0, ${NOW_MS}, ${BATCH_LAYOUT}, json_build_object(
    'nowMs', moment.now_ms,
    'tabs', (select coalesce(json_agg(json_build_array(account_id, key_id)), '[]') from tabbed),
    'granted', (select coalesce(json_agg(json_build_array(p.ordinal, p.tier, p.calls, p.used)), '[]') from grantable as p)
  )::text from moment
  returning granted`;
