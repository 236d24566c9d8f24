import { type Kysely, sql } from "kysely";
import type { JobStore } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { lockAccount } from "./accountRows.ts";
import { disableUnresponsive, noteDelivery, noteFailure } from "./monitors/endpoints.ts";
import {
  changeRows,
  deleteRows,
  findRows,
  insertRows,
  MAX_CANDIDATES,
  takeRows,
  updateRows,
} from "./rows.ts";

/** Earlier secrets that still sign next to the current one, for callers who rolled it several times after lost responses. */
const MAX_BEFORE = 3;
const LATEST_FIRST = sql`order by made_at_ms desc`;

type WebhookQueries = Pick<JobStore, "rollWebhookSecret" | "claimMessage" | "endMessage" | "deferMessage">;

/** Messages about ended lists, and their signing secrets. */
export function webhookQueries(db: Kysely<Tables>, now: StoreClock): WebhookQueries {
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
      // Checked every second by every process, so without a lock. Two queries: sorting all due messages by their failures
      // would read as many as are waiting for an unresponsive webhook.
      const due: { readonly id: string; readonly tier: string }[] = [];
      for (const hasFailed of failed ? [false] : [false, true]) {
        if (due.length > 0) break;
        const rows = await db
          .selectFrom("webhook_messages")
          .innerJoin("accounts", "accounts.id", "webhook_messages.account_id")
          .select(["webhook_messages.id", "tier"])
          .where("due_at_ms", "<=", nowMs)
          .where("failures", hasFailed ? ">" : "=", 0)
          .$if(accounts.length > 0, (query) => query.where("account_id", "not in", accounts))
          .$if(tiers.length > 0, (query) => query.where("tier", "not in", tiers))
          .$if(hasFailed, (query) => query.orderBy("failures"))
          .orderBy("due_at_ms")
          .limit(MAX_CANDIDATES)
          .execute();
        due.push(...rows);
      }
      for (const { id, tier } of due) {
        const leased = { due_at_ms: nowMs + leaseMs, claims: sql`claims + 1` };
        const [row] = await changeRows(
          db,
          "webhook_messages",
          { id },
          leased,
          sql`and due_at_ms <= ${nowMs}`,
        );
        if (row === undefined) continue;
        const isGood = sql`and (ends_at_ms is null or ends_at_ms > ${nowMs}) ${LATEST_FIRST}`;
        const secrets = await findRows(db, "webhook_secrets", { account_id: row.account_id }, isGood);
        return {
          id,
          accountId: row.account_id,
          tierName: tier,
          url: row.url,
          payload: row.payload,
          claim: row.claims,
          failures: row.failures,
          seeds: secrets.map(({ seed }) => seed),
        };
      }
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
      return db.transaction().execute(async (transaction) => {
        const deferred = { due_at_ms: dueAtMs, failures: sql`failures + 1` };
        const isInTime = sql`and drop_at_ms > ${dueAtMs}`;
        const [later] = await changeRows(transaction, "webhook_messages", claimed, deferred, isInTime);
        const [dropped] = later === undefined ? await takeRows(transaction, "webhook_messages", claimed) : [];
        const message = later ?? dropped;
        if (message !== undefined) await noteFailure(transaction, message, reason, nowMs);
        if (dropped !== undefined) await disableUnresponsive(transaction, dropped, nowMs);
        return later !== undefined;
      });
    },
  };
}
