import { type Kysely, type RawBuilder, sql } from "kysely";
import { IS_OPEN_ACCOUNT, lockAccount, withAccount } from "../database/accountLock.ts";
import type { StoreClock } from "../database/clock.ts";
import { claimRow } from "../database/leases.ts";
import {
  changeRows,
  deleteRows,
  findRow,
  findRows,
  insertRows,
  skipLocked,
  takeRows,
  updateRows,
} from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import type { AddressChange, ClaimedMessage, SkippedMessages } from "./claimed.ts";
import { evenSinceMs } from "./clockWatch.ts";
import {
  disable,
  disableUnresponsive,
  dropMessages,
  lifetimeOf,
  noteDelivery,
  noteFailure,
} from "./endpoints.ts";
import { MESSAGE_LIFE_MS } from "./message.ts";

/**
 * Earlier secrets that still sign next to the current one, for callers who rolled it several times after lost
 * responses.
 */
const MAX_BEFORE = 3;
const LATEST_FIRST = sql`order by made_at_ms desc`;

export type WebhookQueries = ReturnType<typeof webhookQueries>;

/** Messages to deliver, and their signing secrets. */
export function webhookQueries(db: Kysely<Tables>, now: StoreClock) {
  /** The account that was served last. The next ones follow it, so that every account is served. */
  let lastAccount = "";
  return {
    /** Sets a new secret. Up to three earlier ones also sign until `keepsMs` after they were replaced. */
    async rollWebhookSecret(accountId: string, seed: string, keepsMs: number): Promise<void> {
      const nowMs = await now();
      await db.transaction().execute(async (transaction) => {
        // Serialises concurrent calls: the second must see the first one's secret as current. Without an account the
        // insert fails.
        await lockAccount(transaction, accountId);
        const own = { account_id: accountId };
        const before = await findRows(transaction, "webhook_secrets", own, LATEST_FIRST);
        const over = before
          .filter((row, nth) => nth >= MAX_BEFORE || (row.ends_at_ms !== null && row.ends_at_ms <= nowMs))
          .map(({ seed }) => seed);
        await deleteRows(transaction, "webhook_secrets", { ...own, seed: over });
        const present = { ...own, ends_at_ms: null };
        await updateRows(transaction, "webhook_secrets", present, { ends_at_ms: nowMs + keepsMs });
        await insertRows(transaction, "webhook_secrets", { ...present, seed, made_at_ms: nowMs });
      });
    },

    /**
     * Claims the next due message for `leaseMs`: accounts take turns, and so do the addresses of an account. A message
     * about an event goes to the current webhook of its monitor.
     */
    async claimMessage(
      leaseMs: number,
      { accounts = [], tiers = [], addresses = [], failing = [] }: SkippedMessages = {},
    ): Promise<ClaimedMessage | undefined> {
      const nowMs = await now();
      await evenSinceMs(db, nowMs);
      const isNext = ({ account_id, url, tier, isOpen, due_at_ms, paused_until_ms, failures }: Turn) =>
        isOpen === 1 &&
        Math.max(due_at_ms, paused_until_ms) <= nowMs &&
        !accounts.includes(account_id) &&
        !tiers.includes(tier) &&
        !addresses.some((one) => one.accountId === account_id && one.url === url) &&
        !(failures > 0 && (failing === "all" || failing.includes(account_id)));
      // From the account after the last one to the end, then from the beginning.
      for (let place: Place = { account_id: lastAccount }, isAgain = lastAccount === ""; ; ) {
        const turns = await nextTurns(db, place);
        for (const turn of turns.filter(({ isDisabled }) => isDisabled === 1)) await dropMessages(db, turn);
        const next = turns.filter((turn) => turn.isDisabled === 0 && isNext(turn));
        for (const own of Map.groupBy(next, ({ account_id }) => account_id).values()) {
          for (const turn of own.sort((one, other) => one.tried_at_ms - other.tried_at_ms)) {
            const message = await claimTurn(db, turn, nowMs, leaseMs);
            if (message === undefined) continue;
            lastAccount = turn.account_id;
            return message;
          }
        }
        const last = turns.at(-1);
        if (turns.length === TURNS_AT_ONCE && last !== undefined) place = last;
        else if (isAgain) break;
        else [place, isAgain] = [{ account_id: "" }, true];
      }
      lastAccount = "";
      return undefined;
    },

    /** Removes a message that was accepted. */
    async endMessage(id: string, claim: number): Promise<void> {
      const nowMs = await now();
      const own = await findRow(db, "webhook_messages", { id, claims: claim });
      await withAccount(db, own?.account_id ?? "", undefined, async (transaction) => {
        const [message] = await takeRows(transaction, "webhook_messages", { id, claims: claim });
        if (message !== undefined) await noteDelivery(transaction, message, nowMs);
      });
    },

    /**
     * Schedules a retry. Dropping a message about an event disables its webhook if that accepted nothing since the
     * message was queued.
     * @param reason contains no address
     * @param change disables the address at once, or pauses it until the last attempt at the end of the message's
     * lifetime at the latest
     * @returns false if the message was dropped: its lifetime is over, or its address is gone
     */
    async deferMessage(
      id: string,
      claim: number,
      afterMs: number,
      reason: string,
      change?: AddressChange,
    ): Promise<boolean> {
      const nowMs = await now();
      const dueAtMs = nowMs + afterMs;
      const claimed = { id, claims: claim };
      // After a jump of the clock its lifetime starts again.
      const isNew = (await evenSinceMs(db, nowMs)) > dueAtMs - lifetimeOf(id);
      const pauseMs = change === undefined || change === "gone" ? undefined : change.pauseMs;
      // A pause ends with the message's lifetime at the latest, so that there is another attempt.
      const isInTime = isNew ? sql`` : sql`and drop_at_ms > ${pauseMs === undefined ? dueAtMs : nowMs}`;
      const isCut = sql`drop_at_ms < ${isNew || pauseMs === undefined ? 0 : dueAtMs}`;
      const deferred = {
        due_at_ms: sql`case when ${isCut} then drop_at_ms else ${dueAtMs} end`,
        failures: sql`failures + 1`,
      };
      const own = await findRow(db, "webhook_messages", claimed);
      const end = await withAccount(db, own?.account_id ?? "", undefined, async (transaction) => {
        const [later] =
          change === "gone"
            ? []
            : await changeRows(transaction, "webhook_messages", claimed, deferred, isInTime);
        const [dropped] = later === undefined ? await takeRows(transaction, "webhook_messages", claimed) : [];
        const message = later ?? dropped;
        if (message === undefined) return undefined;
        const pausedUntilMs = pauseMs && Math.min(nowMs + pauseMs, later?.due_at_ms ?? Infinity);
        await noteFailure(transaction, message, reason, nowMs, pausedUntilMs);
        const disableIfDue = change === "gone" ? disable : disableUnresponsive;
        const isDisabled = dropped !== undefined && (await disableIfDue(transaction, dropped, nowMs));
        return { message, isDropped: dropped !== undefined, isDisabled };
      });
      if (end?.isDisabled === true) await dropMessages(db, end.message);
      else if (end !== undefined && pauseMs !== undefined && !isNew) {
        const longAgoMs = nowMs - MESSAGE_LIFE_MS;
        await dropMessages(db, end.message, sql`and due_at_ms <= ${longAgoMs} and drop_at_ms <= ${nowMs}`);
      }
      return end?.isDropped !== true;
    },
  };
}

/** The messages to an address of an account; without an address, the place after all of the account. */
interface Place {
  readonly account_id: string;
  readonly url?: string;
}

interface Turn extends Required<Place> {
  /** The earliest of its messages. */
  readonly due_at_ms: number;
  readonly tier: string;
  readonly isOpen: number;
  readonly isDisabled: number;
  readonly paused_until_ms: number;
  readonly failures: number;
  /** The last delivery or failure; 0 if there was none. */
  readonly tried_at_ms: number;
}

const TURNS_AT_ONCE = 100;

/**
 * The next turns after a place: from one to the next by index, so that many messages to one address cost no more
 * than one. The addresses of an account follow each other.
 */
async function nextTurns(db: Kysely<Tables>, { account_id, url }: Place): Promise<readonly Turn[]> {
  const first = (condition: RawBuilder<unknown>) => sql`(
    select n.id from webhook_messages n where ${condition} order by n.account_id, n.url, n.due_at_ms limit 1)`;
  // Not by a comparison of both columns at once: SQLite would read all messages of the account.
  const next = (account: RawBuilder<unknown>, url: RawBuilder<unknown>) => sql`coalesce(
    ${first(sql`n.account_id = ${account} and n.url > ${url}`)}, ${first(sql`n.account_id > ${account}`)})`;
  const begin =
    url === undefined ? first(sql`n.account_id > ${account_id}`) : next(sql`${account_id}`, sql`${url}`);
  const { rows } = await sql<Turn>`
    with recursive turns (nth, account_id, url, due_at_ms) as (
      select 1, f.account_id, f.url, f.due_at_ms from webhook_messages f where f.id = ${begin}
      union all
      select t.nth + 1, m.account_id, m.url, m.due_at_ms
      from turns t join webhook_messages m on m.id = ${next(sql.ref("t.account_id"), sql.ref("t.url"))}
      where t.nth < ${TURNS_AT_ONCE}
    )
    select turns.account_id, turns.url, due_at_ms, tier, case when ${IS_OPEN_ACCOUNT} then 1 else 0 end as "isOpen",
      case when e.disabled_at_ms is null then 0 else 1 end as "isDisabled",
      coalesce(e.paused_until_ms, 0) as paused_until_ms, coalesce(e.failures, 0) as failures,
      case when coalesce(e.delivered_at_ms, 0) > coalesce(e.failed_at_ms, 0) then e.delivered_at_ms
        else coalesce(e.failed_at_ms, 0) end as tried_at_ms
    from turns join accounts on accounts.id = turns.account_id
      left join webhook_endpoints e on e.account_id = turns.account_id and e.url = turns.url
    order by nth`.execute(db);
  return rows;
}

/** Claims the first message of a turn; undefined if others have claimed all that were due. */
async function claimTurn(
  db: Kysely<Tables>,
  { account_id, url, tier, failures }: Turn,
  nowMs: number,
  leaseMs: number,
): Promise<ClaimedMessage | undefined> {
  const isFirst = sql`and id = (
    select id from webhook_messages
    where account_id = ${account_id} and url = ${url} and due_at_ms <= ${nowMs}
    order by due_at_ms limit 1 ${skipLocked(db)})`;
  const row = await claimRow(db, "webhook_messages", {}, { nowMs, leaseMs }, {}, isFirst);
  if (row === undefined) return undefined;
  const isGood = sql`and (ends_at_ms is null or ends_at_ms > ${nowMs}) ${LATEST_FIRST}`;
  const secrets = await findRows(db, "webhook_secrets", { account_id }, isGood);
  return {
    id: row.id,
    accountId: account_id,
    tierName: tier,
    url: row.url,
    payload: row.payload,
    claim: row.claims,
    failures: row.failures,
    addressFailures: failures,
    seeds: secrets.map(({ seed }) => seed),
  };
}
