/** Retention times, and the deletion of old rows. */
import { type Kysely, sql } from "kysely";
import { PEPPOL_STALE_FOR_MS } from "../../contract/peppol.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { deleteStep, type ExpiredRows } from "../../database/sweeping.ts";
import { dayOf } from "../../lib/periods.ts";
import { expiredResponses } from "../../metering/queries/storedResponses.ts";
import { CALL_RETENTION_MS } from "../../metering/recordedCalls.ts";
import type { RetentionTerms } from "../people.ts";
import { EARLIER_MONTHS_KEPT } from "./departed.ts";

/** How long the counts of created keys per day are stored: a clock that is ahead for a while must not reset them. */
const KEY_DAY_RETENTION_MS = 2 * 86_400_000;
/** How long dropped mails are stored: a service that sends mail drops and reports them before this. */
const OLD_MAIL_RETENTION_MS = 60_000;

/** Old rows of accounts and people. */
export function retentionQueries(db: Kysely<Tables>) {
  return {
    /**
     * Deletes some expired data: recorded calls, stored responses, sessions, tokens, attempts, stored suspensions,
     * known addresses, daily key counts, usage of deleted accounts, answers of Peppol, and records of allowance mails.
     * @returns whether there may be more
     */
    deleteExpired: async (terms: RetentionTerms): Promise<boolean> =>
      (await deleteStep(db, expiredRowsOf(terms))) === 0,
  };
}

/**
 * The largest tables come first and have an index for their condition: a step with many rows to delete reads nothing
 * else.
 */
function expiredRowsOf({ nowMs, idleMs, knownSinceMs, month }: RetentionTerms): readonly ExpiredRows[] {
  const firstMonth = month - EARLIER_MONTHS_KEPT;
  return [
    { table: "calls", isDue: sql`at_ms <= ${nowMs - CALL_RETENTION_MS}` },
    ...expiredResponses(nowMs),
    { table: "peppol_verdicts", isDue: sql`checked_at_ms < ${nowMs - PEPPOL_STALE_FOR_MS}` },
    { table: "key_days", isDue: sql`day < ${dayOf(nowMs - KEY_DAY_RETENTION_MS)}` },
    { table: "allowance_notices", isDue: sql`month < ${firstMonth}` },
    { table: "shown_companies", isDue: sql`month < ${firstMonth}` },
    { table: "attempts", isDue: sql`ends_at_ms <= ${nowMs}` },
    { table: "sessions", isDue: sql`(ends_at_ms <= ${nowMs} or last_seen_at_ms <= ${nowMs - idleMs})` },
    { table: "known_addresses", isDue: sql`seen_at_ms <= ${knownSinceMs}` },
    { table: "one_time_tokens", isDue: sql`expires_at_ms <= ${nowMs}` },
    { table: "waiting_mails", isDue: sql`drop_at_ms <= ${nowMs - OLD_MAIL_RETENTION_MS}` },
    { table: "departed_months", isDue: sql`month < ${firstMonth}` },
    { table: "suspended_addresses", isDue: sql`expires_at_ms <= ${nowMs}` },
  ];
}
