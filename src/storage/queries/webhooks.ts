import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import type { ClaimedMessage, JobStore } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { IS_OPEN_ACCOUNT, lockAccount } from "./accountRows.ts";
import { evenSinceMs } from "./clockWatch.ts";
import {
  disableUnresponsive,
  dropEvents,
  lifetimeOf,
  noteDelivery,
  noteFailure,
} from "./monitors/endpoints.ts";
import { changeRows, deleteRows, findRows, insertRows, skipLocked, takeRows, updateRows } from "./rows.ts";

/** Earlier secrets that still sign next to the current one, for callers who rolled it several times after lost responses. */
const MAX_BEFORE = 3;
const LATEST_FIRST = sql`order by made_at_ms desc`;

type WebhookQueries = Pick<JobStore, "rollWebhookSecret" | "claimMessage" | "endMessage" | "deferMessage">;

/** Messages about ended lists, and their signing secrets. */
export function webhookQueries(db: Kysely<Tables>, now: StoreClock): WebhookQueries {
  /** The account that was served last: the next ones follow it, so that all have their turn. */
  let lastTurn = FIRST_TURN;
  return {
    async rollWebhookSecret(accountId, seed, keepsMs) {
      const nowMs = await now();
      await db.transaction().execute(async (transaction) => {
        // Serialises concurrent calls: the second must see the first one's secret as current. Without an account the insert fails.
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

    async claimMessage(leaseMs, { accounts = [], tiers = [], failed = false } = {}) {
      const nowMs = await now();
      await evenSinceMs(db, nowMs);
      const isExcluded = ({ account_id, failures, tier, isOpen }: Turn) =>
        isOpen === 0 || accounts.includes(account_id) || tiers.includes(tier) || (failed && failures > 0);
      // From the account after the last one to the end, then from the beginning.
      for (let place = lastTurn, isAgain = false; ; ) {
        const turns = await nextTurns(db, place);
        for (const turn of turns) {
          if (turn.due_at_ms > nowMs || isExcluded(turn)) continue;
          const message = await claimTurn(db, turn, nowMs, leaseMs);
          if (message === undefined) continue;
          lastTurn = { account_id: turn.account_id, failures: MAX_FAILURES };
          return message;
        }
        const last = turns.at(-1);
        if (turns.length === TURNS_AT_ONCE && last !== undefined) place = last;
        else if (isAgain || lastTurn === FIRST_TURN) break;
        else [place, isAgain] = [FIRST_TURN, true];
      }
      lastTurn = FIRST_TURN;
      return undefined;
    },

    async endMessage(id, claim) {
      const nowMs = await now();
      await db.transaction().execute(async (transaction) => {
        const [message] = await takeRows(transaction, "webhook_messages", { id, claims: claim });
        if (message !== undefined) await noteDelivery(transaction, message, nowMs);
      });
    },

    async deferMessage(id, claim, afterMs, reason) {
      const nowMs = await now();
      const dueAtMs = nowMs + afterMs;
      const claimed = { id, claims: claim };
      // After a step of the clock its life begins anew.
      const isNew = (await evenSinceMs(db, nowMs)) > dueAtMs - lifetimeOf(id);
      const { isRetried, disabled } = await db.transaction().execute(async (transaction) => {
        const deferred = { due_at_ms: dueAtMs, failures: sql`failures + 1` };
        const isInTime = isNew ? sql`` : sql`and drop_at_ms > ${dueAtMs}`;
        const [later] = await changeRows(transaction, "webhook_messages", claimed, deferred, isInTime);
        const [dropped] = later === undefined ? await takeRows(transaction, "webhook_messages", claimed) : [];
        const message = later ?? dropped;
        if (message !== undefined) await noteFailure(transaction, message, reason, nowMs);
        const isDisabled = dropped !== undefined && (await disableUnresponsive(transaction, dropped, nowMs));
        return { isRetried: later !== undefined, disabled: isDisabled ? dropped : undefined };
      });
      if (disabled !== undefined) await dropEvents(db, disabled);
      return isRetried;
    },
  };
}

/** The messages of an account that failed equally often. */
type Place = Pick<Selectable<Tables["webhook_messages"]>, "account_id" | "failures">;
type Turn = Place & { readonly due_at_ms: number; readonly tier: string; readonly isOpen: number };

const FIRST_TURN: Place = { account_id: "", failures: 0 };
const MAX_FAILURES = 2_147_483_647;
const TURNS_AT_ONCE = 100;

/**
 * The next turns after a place: from one to the next by index, so that many messages of one account cost no more than one.
 * `due_at_ms` is the earliest of its messages. Turns of an account follow each other, messages never tried first.
 */
async function nextTurns(db: Kysely<Tables>, { account_id, failures }: Place): Promise<readonly Turn[]> {
  const first = (condition: RawBuilder<unknown>) => sql`(
    select n.id from webhook_messages n where ${condition} order by n.account_id, n.failures, n.due_at_ms limit 1)`;
  // Not by a comparison of both columns at once: SQLite would read all messages of the account.
  const next = (account: RawBuilder<unknown>, failed: RawBuilder<unknown>) => sql`coalesce(
    ${first(sql`n.account_id = ${account} and n.failures > ${failed}`)}, ${first(sql`n.account_id > ${account}`)})`;
  const { rows } = await sql<Turn>`
    with recursive turns (nth, account_id, failures, due_at_ms) as (
      select 1, f.account_id, f.failures, f.due_at_ms from webhook_messages f
      where f.id = ${next(sql`${account_id}`, sql`${failures}`)}
      union all
      select t.nth + 1, m.account_id, m.failures, m.due_at_ms
      from turns t join webhook_messages m on m.id = ${next(sql.ref("t.account_id"), sql.ref("t.failures"))}
      where t.nth < ${TURNS_AT_ONCE}
    )
    select turns.account_id, failures, due_at_ms, tier,
      case when ${IS_OPEN_ACCOUNT} then 1 else 0 end as "isOpen"
    from turns join accounts on accounts.id = turns.account_id order by nth`.execute(db);
  return rows;
}

/** Claims the first message of a turn; undefined if others have claimed all that were due. */
async function claimTurn(
  db: Kysely<Tables>,
  { account_id, failures, tier }: Turn,
  nowMs: number,
  leaseMs: number,
): Promise<ClaimedMessage | undefined> {
  const isFirst = sql`and due_at_ms <= ${nowMs} and id = (
    select id from webhook_messages
    where account_id = ${account_id} and failures = ${failures} and due_at_ms <= ${nowMs}
    order by due_at_ms limit 1 ${skipLocked(db)})`;
  const leased = { due_at_ms: nowMs + leaseMs, claims: sql`claims + 1` };
  const [row] = await changeRows(db, "webhook_messages", {}, leased, isFirst);
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
    failures,
    seeds: secrets.map(({ seed }) => seed),
  };
}
