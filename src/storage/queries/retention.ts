/** How long things are kept, and what deletes them. */
import type { Kysely } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import { KEEP_CALLS_MS } from "../../metering/callStore.ts";
import { dayOf } from "../../metering/periods.ts";
import type { Tables } from "../tables.ts";
import { MONTHS_BEFORE } from "./departed.ts";

/** Reservations are kept this long after they expired, so that a late settlement is still known. */
export const KEEP_LAPSED_MS = 3_600_000;
/** Sessions of typing are kept longer than any lasts, also by a clock that is a little behind. */
export const KEEP_SESSIONS_MS = 600_000;
/** So many of them are deleted at once: those who wait for the store are let in between. */
export const SESSIONS_IN_A_STEP = 1_000;
/** How often a process deletes the reservations and sessions of typing that are kept no longer. */
export const DELETE_LAPSED_EVERY_MS = 60_000;
/** Nothing is deleted for so long after the clock jumped ahead, which is as long as a call may last. */
export const AFTER_A_JUMP_MS = 120_000;
/** Not at once: a clock that is ahead for a while must not have anybody begin anew. */
const KEEP_KEY_DAYS_MS = 2 * 86_400_000;
/** Where mails are sent they are dropped, and told, before this. */
const KEEP_OLD_MAILS_MS = 60_000;

/** What people leave behind. */
export function retentionQueries(db: Kysely<Tables>): Pick<PeopleStore, "deleteExpired"> {
  return {
    async deleteExpired({ nowMs, idleMs, knownSinceMs, month }) {
      await db
        .deleteFrom("sessions")
        .where((where) =>
          where.or([where("ends_at_ms", "<=", nowMs), where("last_seen_at_ms", "<=", nowMs - idleMs)]),
        )
        .execute();
      await db.deleteFrom("known_addresses").where("seen_at_ms", "<=", knownSinceMs).execute();
      await db.deleteFrom("one_time_tokens").where("expires_at_ms", "<=", nowMs).execute();
      await db
        .deleteFrom("waiting_mails")
        .where("drop_at_ms", "<=", nowMs - KEEP_OLD_MAILS_MS)
        .execute();
      await db
        .deleteFrom("calls")
        .where("at_ms", "<=", nowMs - KEEP_CALLS_MS)
        .execute();
      await db.deleteFrom("attempts").where("ends_at_ms", "<=", nowMs).execute();
      await db.deleteFrom("departed").where("month", "<", month).execute();
      await db.deleteFrom("suspended_addresses").where("kept_until_ms", "<=", nowMs).execute();
      await db
        .deleteFrom("departed_months")
        .where("month", "<", month - MONTHS_BEFORE)
        .execute();
      await db
        .deleteFrom("allowance_notices")
        .where("month", "<", month - MONTHS_BEFORE)
        .execute();
      await db
        .deleteFrom("key_days")
        .where("day", "<", dayOf(nowMs - KEEP_KEY_DAYS_MS))
        .execute();
    },
  };
}
