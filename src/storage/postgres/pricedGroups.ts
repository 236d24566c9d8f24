import type { TierTable } from "../../contract/tiers.ts";
import { balanceOf } from "../../metering/decide.ts";
import { minuteOf, monthOf } from "../../metering/periods.ts";
import type { Decision } from "../../metering/store.ts";
import { tierFinder } from "../../metering/tierFinder.ts";
import { columnLiterals } from "./arrayLiterals.ts";
import { type CallGroup, callsOf, chargeOf, slotsOf, tokensOf } from "./callGroups.ts";
import { NOW_MS } from "./commitOutcome.ts";

/** What the database is asked to grant by itself. */
export interface PricedGroups {
  readonly id: string;
  /** Each of another account. */
  readonly groups: readonly CallGroup[];
  readonly tiers: TierTable;
  /** Tests only: the time in the place of the database's clock. */
  readonly testNowMs: number | undefined;
}

/** What is decided of the requests that the groups were taken from, by their index. */
export type Grants = ReadonlyMap<number, Decision>;

/**
 * One reading of the clock with the periods of it, in SQL.
 * @param testNowMs the parameter that is null, or the time that a test has set
 */
export function momentAt(testNowMs: "$1" | "$2"): string {
  return `select now_ms, now_ms / 60000 as minute, to_char(utc, 'YYYY-MM-DD') as day,
      (extract(year from utc) * 12 + extract(month from utc) - 1)::integer as month
    from (select coalesce(${testNowMs}::bigint, ${NOW_MS}) as now_ms) as clock
    cross join lateral (select to_timestamp(now_ms / 1000.0) at time zone 'UTC' as utc) as calendar`;
}

/** The tiers as the lists of their names, monthly tokens and calls a minute. */
export function tierColumns(tiers: TierTable): string[] {
  const plans = Object.entries(tiers).map(([name, tier]) => ({ name, ...tier }));
  return columnLiterals(plans, ["name", "monthlyTokens", "ratePerMinute"]);
}

/** What a statement that grants tells and keeps. */
interface GrantedGroups {
  readonly nowMs: number;
  /** By a group's ordinal in the list, from 1: its account's tier, and what there is after it. */
  readonly granted: readonly (readonly [
    ordinal: number,
    tier: string,
    callsInMinute: number,
    used: number,
  ])[];
}

/** @param told JSON as the statement gave it, or as the batch's row holds it */
export function grantsOf({ groups, tiers }: PricedGroups, told: string | null): Grants {
  const grants = new Map<number, Decision>();
  if (told === null) return grants;
  // Written by our own statements alone and read at once: a check of it would cost each batch and could find nothing.
  const { nowMs, granted }: GrantedGroups = JSON.parse(told);
  const findTier = tierFinder(tiers);
  const [minute, month] = [minuteOf(nowMs), monthOf(nowMs)];
  for (const [ordinal, tierName, callsInMinute, usedInAll] of granted) {
    const group = groups[ordinal - 1];
    if (group === undefined) throw new RangeError("the database granted what was not asked");
    const { accountId, keyId, calls } = group;
    const tier = findTier(tierName, keyId);
    let [counted, used] = [callsInMinute - callsOf(group), usedInAll - tokensOf(group).charge];
    for (const { request, index } of calls) {
      const charged = chargeOf(request);
      counted += slotsOf(request);
      used += charged;
      const key = { keyId, accountId, isRevoked: false, minute, callsInMinute: counted };
      const account = { accountId, tierName, isSuspended: false, month, used, reserved: 0 };
      grants.set(index, { outcome: "granted", charged, balance: balanceOf(key, account, tier, nowMs) });
    }
  }
  return grants;
}
