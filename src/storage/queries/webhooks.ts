import type { Kysely } from "kysely";
import type { JobStore } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { lockAccount } from "./accountRows.ts";

/** So many that are due are tried to claim before the rest is left to the next look. */
const MAX_CANDIDATES = 8;
/** Secrets before the present one that sign beside it: whoever asks again after a lost answer has not changed over from the one before that. */
const MAX_BEFORE = 3;

type WebhookQueries = Pick<JobStore, "rollWebhookSecret" | "claimMessage" | "endMessage" | "deferMessage">;

/** Messages about the ends of lists, and what they are signed with. */
export function webhookQueries(db: Kysely<Tables>, now: StoreClock): WebhookQueries {
  return {
    async rollWebhookSecret(accountId, seed, keepsMs) {
      const nowMs = await now();
      await db.transaction().execute(async (transaction) => {
        // Of two at once the second must see the first's as the present one. Without an account the insert is refused.
        await lockAccount(transaction, accountId);
        const before = await transaction
          .selectFrom("webhook_secrets")
          .select(["seed", "ends_at_ms"])
          .where("account_id", "=", accountId)
          .orderBy("made_at_ms", "desc")
          .execute();
        const over = before
          .filter((row, nth) => nth >= MAX_BEFORE || (row.ends_at_ms !== null && row.ends_at_ms <= nowMs))
          .map(({ seed }) => seed);
        if (over.length > 0) {
          await transaction
            .deleteFrom("webhook_secrets")
            .where("account_id", "=", accountId)
            .where("seed", "in", over)
            .execute();
        }
        await transaction
          .updateTable("webhook_secrets")
          .set({ ends_at_ms: nowMs + keepsMs })
          .where("account_id", "=", accountId)
          .where("ends_at_ms", "is", null)
          .execute();
        await transaction
          .insertInto("webhook_secrets")
          .values({ account_id: accountId, seed, made_at_ms: nowMs, ends_at_ms: null })
          .execute();
      });
    },

    async claimMessage(leaseMs, { accounts = [], tiers = [], failed = false } = {}) {
      const nowMs = await now();
      // Looked at every second by every process: a look takes no lock.
      // What is due is found by its index and then sorted: with one that begins with the failures, all that waits would be gone through.
      const due = await db
        .selectFrom("webhook_messages")
        .innerJoin("accounts", "accounts.id", "webhook_messages.account_id")
        .select(["webhook_messages.id", "tier"])
        .where("due_at_ms", "<=", nowMs)
        .$if(accounts.length > 0, (query) => query.where("account_id", "not in", accounts))
        .$if(tiers.length > 0, (query) => query.where("tier", "not in", tiers))
        .$if(failed, (query) => query.where("failures", "=", 0))
        .orderBy("failures")
        .orderBy("due_at_ms")
        .limit(MAX_CANDIDATES)
        .execute();
      for (const { id, tier } of due) {
        const row = await db
          .updateTable("webhook_messages")
          .set((set) => ({ due_at_ms: nowMs + leaseMs, claims: set("claims", "+", 1) }))
          .where("id", "=", id)
          .where("due_at_ms", "<=", nowMs)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) continue;
        const seeds = await db
          .selectFrom("webhook_secrets")
          .select("seed")
          .where("account_id", "=", row.account_id)
          .where((where) => where.or([where("ends_at_ms", "is", null), where("ends_at_ms", ">", nowMs)]))
          .orderBy("made_at_ms", "desc")
          .execute();
        return {
          id,
          accountId: row.account_id,
          tierName: tier,
          url: row.url,
          payload: row.payload,
          claim: row.claims,
          failures: row.failures,
          seeds: seeds.map(({ seed }) => seed),
        };
      }
      return undefined;
    },

    async endMessage(id, claim) {
      await db.deleteFrom("webhook_messages").where("id", "=", id).where("claims", "=", claim).execute();
    },

    async deferMessage(id, claim, afterMs) {
      const dueAtMs = (await now()) + afterMs;
      const deferred = await db
        .updateTable("webhook_messages")
        .set((set) => ({ due_at_ms: dueAtMs, failures: set("failures", "+", 1) }))
        .where("id", "=", id)
        .where("claims", "=", claim)
        .where("drop_at_ms", ">", dueAtMs)
        .returning("id")
        .executeTakeFirst();
      if (deferred !== undefined) return true;
      await db.deleteFrom("webhook_messages").where("id", "=", id).where("claims", "=", claim).execute();
      return false;
    },
  };
}
