import { DatabaseError, type PoolClient, type QueryConfig } from "pg";
import type { TierTable } from "../../contract/tiers.ts";
import { balanceOf } from "../../metering/decide.ts";
import { minuteOf, monthOf } from "../../metering/periods.ts";
import type { Ask, CallAsk, Decision } from "../../metering/store.ts";
import { tierFinder } from "../batch.ts";
import { NOW_MS } from "./commitOutcome.ts";
import { corkForNow } from "./connect.ts";
import type { Ended } from "./ended.ts";
import { listOf } from "./lists.ts";
import type { Owners } from "./owners.ts";
import { lockAccounts } from "./statements.ts";

/** A call, and the account that its key is of. */
export interface PlainAsk {
  readonly ask: CallAsk;
  readonly accountId: string;
  /** Among the asks that it came with. */
  readonly place: number;
}

export interface PlainWork {
  readonly id: string;
  /** Each of another account. */
  readonly asks: readonly PlainAsk[];
  readonly tiers: TierTable;
  /** Tests only: the time in the place of the database's clock. */
  readonly testNowMs: number | undefined;
}

/** The first call of each account whose id is known: the asks that one statement can decide side by side. */
export function plainAsks(asks: readonly Ask[], owners: Owners): PlainAsk[] {
  const plain: PlainAsk[] = [];
  const taken = new Set<string>();
  for (const [place, ask] of asks.entries()) {
    const accountId = owners.of(ask.keyId);
    if (accountId === undefined || taken.has(accountId)) continue;
    taken.add(accountId);
    if (ask.kind === "call") plain.push({ ask, accountId, place });
  }
  return plain;
}

/** What {@link GRANT} tells and keeps: the place in its list, the account's tier, the key's calls in this minute, the month's tokens. */
interface Grants {
  readonly nowMs: number;
  readonly granted: readonly (readonly [place: number, tier: string, callsInMinute: number, used: number])[];
}

/**
 * Grants calls in one transaction and one round trip: all of it leaves at once, and the database itself finds what is
 * plainly granted by the rules of `decide`. A call is plain when its account has been active this month, holds no
 * reservation and covers the price, and its key has room in its minute and no end. All else is left as it is, for `decide`.
 * Never throws for what the database does.
 * @param onSent called when the transaction is on its way: the next one may follow in the same packet
 * @returns for each ask the decision, or `undefined` when nothing was decided or changed
 */
export async function grantPlainly(
  client: PoolClient,
  work: PlainWork,
  onSent: () => void,
): Promise<Ended<readonly (Decision | undefined)[]>> {
  corkForNow(client);
  const begin = client.query("begin isolation level read committed");
  const lock = client.query(lockAccounts(work.asks.map(({ accountId }) => accountId)));
  const grant = client.query<{ granted: string }>(grantStatement(work));
  const commit = client.query("commit");
  onSent();
  const [begun, locked, told, ended] = await Promise.allSettled([begin, lock, grant, commit]);
  const failure = [begun, locked, told, ended].find((result) => result.status === "rejected");
  if (ended.status === "fulfilled" && told.status === "fulfilled" && failure === undefined) {
    const granted = told.value.rows[0]?.granted ?? null;
    return ended.value.command === "COMMIT"
      ? { kind: "committed", result: decisionsOf(work, granted) }
      : { kind: "failed", error: new Error("the database undid a batch without saying why") };
  }
  // What the server itself refused, it did not commit; when it says nothing it may have.
  if (ended.status === "fulfilled" || failure?.reason instanceof DatabaseError) {
    return { kind: "failed", error: failure?.reason };
  }
  return { kind: "unknown", error: failure?.reason, resultOf: (granted) => decisionsOf(work, granted) };
}

function decisionsOf({ asks, tiers }: PlainWork, granted: string | null): (Decision | undefined)[] {
  const decisions: (Decision | undefined)[] = asks.map(() => undefined);
  if (granted === null) return decisions;
  const grants: Grants = JSON.parse(granted);
  const findTier = tierFinder(tiers);
  const [minute, month] = [minuteOf(grants.nowMs), monthOf(grants.nowMs)];
  for (const [place, tierName, callsInMinute, used] of grants.granted) {
    const plain = asks[place - 1];
    if (plain === undefined) throw new RangeError("the database granted what was not asked");
    const { ask, accountId } = plain;
    const key = { keyId: ask.keyId, accountId, isRevoked: false, minute, callsInMinute };
    const account = { accountId, tierName, isSuspended: false, month, used, reserved: 0 };
    const balance = balanceOf(key, account, findTier(tierName), grants.nowMs);
    decisions[place - 1] = { outcome: "granted", charged: Math.min(ask.charge, ask.price), balance };
  }
  return decisions;
}

function grantStatement({ id, asks, tiers, testNowMs }: PlainWork): QueryConfig {
  const named = Object.entries(tiers);
  return {
    name: "opzoek_grant",
    text: GRANT,
    values: [
      id,
      testNowMs ?? null,
      listOf(asks.map(({ ask }) => ask.keyId)),
      listOf(asks.map(({ ask }) => ask.price)),
      listOf(asks.map(({ ask }) => Math.min(ask.charge, ask.price))),
      listOf(asks.map(({ ask }) => ask.operation)),
      listOf(named.map(([name]) => name)),
      listOf(named.map(([, tier]) => tier.monthlyTokens)),
      listOf(named.map(([, tier]) => tier.ratePerMinute)),
    ],
  };
}

// `plain` holds the conditions of `decide` for a grant. Each row is looked up in a query of its own that ends at the first, so
// that it is done by index whatever the planner believed of the tables when it planned: once for a connection.
// The accounts are locked by the statement before, so that this one sees all that was committed before.
const GRANT = `with moment as (
    select now_ms, now_ms / 60000 as minute, to_char(utc, 'YYYY-MM-DD') as day,
           (extract(year from utc) * 12 + extract(month from utc) - 1)::integer as month
    from (select coalesce($2::bigint, ${NOW_MS}) as now_ms) as clock
    cross join lateral (select to_timestamp(now_ms / 1000.0) at time zone 'UTC' as utc) as calendar
  ), plain as materialized (
    select ask.place, ask.key_id, ask.operation, ask.charge, k.account_id, a.tier, m.used + ask.charge as used,
           case when k.minute = moment.minute then k.calls_in_minute + 1 else 1 end as calls
    from moment
    cross join unnest($3::text[], $4::bigint[], $5::bigint[], $6::text[])
      with ordinality as ask (key_id, price, charge, operation, place)
    cross join lateral (
      select account_id, minute, calls_in_minute from keys
      where id = ask.key_id and revoked_at is null and ends_at is null and minute <= moment.minute limit 1
    ) as k
    cross join lateral (select tier from accounts where id = k.account_id and suspended = 0 limit 1) as a
    cross join lateral (
      select tokens, rate from unnest($7::text[], $8::bigint[], $9::bigint[]) as t (name, tokens, rate)
      where name = a.tier limit 1
    ) as tier
    cross join lateral (
      select month, used from account_months where account_id = k.account_id order by month desc limit 1
    ) as m
    where m.month = moment.month and ask.price <= tier.tokens - m.used
      and tier.rate > case when k.minute = moment.minute then k.calls_in_minute else 0 end
      and not exists (select from reservations where account_id = k.account_id and given_back = 0 limit 1)
  ), windows as (
    update keys set minute = moment.minute, calls_in_minute = p.calls
    from plain as p cross join moment where keys.id = p.key_id
  ), months as (
    update account_months as m set used = p.used
    from plain as p cross join moment
    where m.account_id = p.account_id and m.month = moment.month and p.charge > 0
  ), filed as (
    insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
    select p.account_id, moment.day, p.key_id, p.operation, 1, p.charge, 0, 0 from plain as p cross join moment
    on conflict (account_id, day, key_id, operation) do update set
      requests = ledger.requests + excluded.requests, tokens = ledger.tokens + excluded.tokens
  )
  insert into applied_batches (id, is_void, noted_at_ms, granted)
  select $1, 0, ${NOW_MS}, json_build_object(
    'nowMs', moment.now_ms,
    'granted', (select coalesce(json_agg(json_build_array(p.place, p.tier, p.calls, p.used)), '[]') from plain as p)
  )::text from moment
  returning granted`;
