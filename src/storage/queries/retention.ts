/** Retention times, and the deletion of old rows. */
import { type Kysely, sql } from "kysely";
import type { PeopleStore, RetentionTerms } from "../../accounts/peopleStore.ts";
import { CALL_RETENTION_MS } from "../../metering/callStore.ts";
import { dayOf, MAX_AHEAD_MS } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { EARLIER_MONTHS_KEPT } from "./departed.ts";
import { changeSome, deleteStep, type ExpiredRows, ROWS_PER_STEP } from "./sweeping.ts";

/** How long reservations are stored after they expired, for late settlements. */
export const EXPIRED_RESERVATION_RETENTION_MS = 3_600_000;
/** How long typing sessions are stored: longer than any lasts, even by a clock that is a little behind. */
export const SESSION_RETENTION_MS = 600_000;
/** How often a process deletes old reservations and typing sessions. */
export const DELETE_LAPSED_EVERY_MS = 60_000;
/** How long nothing is deleted after the clock jumped ahead: calls that were running then must still be settled. */
export const CLOCK_JUMP_GRACE_MS = 120_000;
/** How long the counts of created keys per day are stored: a clock that is ahead for a while must not reset them. */
const KEY_DAY_RETENTION_MS = 2 * 86_400_000;
/** How long dropped mails are stored: a service that sends mail drops and reports them before this. */
const OLD_MAIL_RETENTION_MS = 60_000;

/**
 * Deletes some of the rows that batches leave: expired reservations and ended typing sessions. Sessions that a wrong clock
 * began in the future are moved back to now, because nothing else would end them.
 * @param extraRows rows of this store only
 * @returns whether there may be more
 */
export async function deleteLapsed(
  db: Kysely<Tables>,
  nowMs: number,
  extraRows: readonly ExpiredRows[] = [],
): Promise<boolean> {
  await changeSome(
    db,
    { table: "typing_sessions", isDue: sql`began_at_ms > ${nowMs + MAX_AHEAD_MS}` },
    ROWS_PER_STEP,
    sql`update typing_sessions set began_at_ms = ${nowMs}`,
  );
  const unusedRows = await deleteStep(db, [
    { table: "reservations", isDue: sql`expires_at_ms < ${nowMs - EXPIRED_RESERVATION_RETENTION_MS}` },
    { table: "typing_sessions", isDue: sql`began_at_ms < ${nowMs - SESSION_RETENTION_MS}` },
    ...extraRows,
  ]);
  return unusedRows === 0;
}

/** Old rows of people. */
export function retentionQueries(db: Kysely<Tables>): Pick<PeopleStore, "deleteExpired"> {
  return { deleteExpired: async (terms) => (await deleteStep(db, expiredRowsOf(terms))) === 0 };
}

/** The largest tables come first and have an index for their condition: a step with many rows to delete reads nothing else. */
function expiredRowsOf({ nowMs, idleMs, knownSinceMs, month }: RetentionTerms): readonly ExpiredRows[] {
  const firstMonth = month - EARLIER_MONTHS_KEPT;
  return [
    { table: "calls", isDue: sql`at_ms <= ${nowMs - CALL_RETENTION_MS}` },
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
