import { type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import { toObject, toRow } from "../database/objects.ts";
import { deleteRows, findRow, findRows, rowsOf, upsertRow } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { columnsOf } from "../database/sql.ts";
import { changeSome, deleteStep } from "../database/sweeping.ts";
import type { CachedAnswer, CachedAnswers, Consultation, ViesSlot } from "./stored.ts";

/** Verdicts in SQL for every store. */
export function verdictQueries(db: Kysely<Tables>) {
  return {
    ...consultationQueries(db),

    /** The stored answers on each number, in the same order; null where there are none. */
    async findVerdicts(vatNumbers: readonly string[]): Promise<readonly (CachedAnswers | null)[]> {
      if (vatNumbers.length === 0) return [];
      const rows = await findRows(db, "verdicts", { vat_number: vatNumbers });
      const cached = new Map(rows.map((row) => [row.vat_number, asCached(row)]));
      return vatNumbers.map((vatNumber) => cached.get(vatNumber) ?? null);
    },

    /** Stores an answer durably before the promise resolves, unless a newer one is stored. */
    async storeVerdict(vatNumber: string, answer: CachedAnswer): Promise<void> {
      const { valid, validatedAt, receivedAtMs } = answer;
      const name = answer.name ?? null;
      const address = answer.address ?? null;
      const last = {
        valid: valid ? 1 : 0,
        validated_at: validatedAt,
        name,
        address,
        received_at_ms: receivedAtMs,
      };
      // A negative answer does not change the columns of the last positive one.
      const positive = valid && {
        positive_validated_at: validatedAt,
        positive_name: name,
        positive_address: address,
        positive_received_at_ms: receivedAtMs,
      };
      const changes = { ...last, ...positive };
      const isNewer = sql`where verdicts.received_at_ms <= ${receivedAtMs}`;
      await upsertRow(db, "verdicts", { vat_number: vatNumber, ...changes }, changes, isNewer);
    },

    /**
     * Deletes some of the answers that were received before a time, Unix milliseconds, judging `lastPositive` by its
     * own age.
     * @returns whether there may be more
     */
    deleteVerdicts: (beforeMs: number): Promise<boolean> => deleteVerdicts(db, beforeMs),
  };
}

async function deleteVerdicts(db: Kysely<Tables>, beforeMs: number): Promise<boolean> {
  const isOld = sql<SqlBool>`received_at_ms < ${beforeMs}`;
  const unusedRows = await deleteStep(db, [
    { table: "verdicts", isDue: isOld },
    { table: "consultations", isDue: isOld },
  ]);
  if (unusedRows === 0) return true;
  // valid = 0 lets the index on negative answers be used; positive rows this old are already deleted.
  const isRefused = sql<SqlBool>`valid = 0 and positive_received_at_ms < ${beforeMs}`;
  const changed = await changeSome(
    db,
    { table: "verdicts", isDue: isRefused },
    unusedRows,
    sql`update verdicts set positive_validated_at = null, positive_name = null, positive_address = null,
      positive_received_at_ms = null`,
  );
  return changed === unusedRows;
}

/** Consultations in the name of a requester, which belong to the requesting account. */
function consultationQueries(db: Kysely<Tables>) {
  return {
    /** Stores the latest consultation of an account for a number and requester. */
    async storeConsultation(consultation: Consultation): Promise<void> {
      const row = toRow("consultations", consultation);
      const isNewer = sql`where consultations.received_at_ms <= ${consultation.receivedAtMs}`;
      await upsertRow(db, "consultations", row, row, isNewer);
    },

    /** The latest consultation of this account for a number and requester; null when there is none. */
    async consultation(
      accountId: string,
      vatNumber: string,
      requester: string,
    ): Promise<Consultation | null> {
      const id = { account_id: accountId, vat_number: vatNumber, requester };
      const row = await findRow(db, "consultations", id);
      return row === undefined ? null : toObject("consultations", row);
    },
  };
}

function asCached(row: Selectable<Tables["verdicts"]>): CachedAnswers {
  const answer = { valid: row.valid === 1, validatedAt: row.validated_at, receivedAtMs: row.received_at_ms };
  const last = { ...answer, ...nameAndAddress(row.name, row.address) };
  const { positive_validated_at: validatedAt, positive_received_at_ms: receivedAtMs } = row;
  if (validatedAt === null || receivedAtMs === null) return { last };
  const whose = nameAndAddress(row.positive_name, row.positive_address);
  return { last, lastPositive: { valid: true, validatedAt, receivedAtMs, ...whose } };
}

function nameAndAddress(name: string | null, address: string | null) {
  return { ...(name !== null && { name }), ...(address !== null && { address }) };
}

/** Outcomes of requests to VIES, in SQL for every store. */
export function viesHistoryQueries(db: Kysely<Tables>) {
  return {
    /** Adds to the stored counts, and deletes slots that started before a time (Unix milliseconds). */
    async addViesSlots(slots: readonly ViesSlot[], forgetBeforeMs: number): Promise<void> {
      // Ordered, so that two nodes that add to the same slots do not deadlock.
      if (slots.length > 0) {
        await sql`
          insert into vies_history (state, slot_at_ms, answered, unanswered)
          select state, slot_at_ms, answered, unanswered from ${rowsOf(db, slots, "slots", columnsOf("vies_history"))}
          where true order by slot_at_ms, state
          on conflict (slot_at_ms, state) do update set
            answered = vies_history.answered + excluded.answered,
            unanswered = vies_history.unanswered + excluded.unanswered`.execute(db);
      }
      await deleteRows(db, "vies_history", {}, sql`and slot_at_ms < ${forgetBeforeMs}`);
    },

    /** The slots that started at a time or later, by state and time. */
    async viesSlots(sinceMs: number): Promise<readonly ViesSlot[]> {
      const { rows } = await sql<ViesSlot>`
        select state, slot_at_ms as "slotAtMs", answered, unanswered from vies_history
        where slot_at_ms >= ${sinceMs} order by state, slot_at_ms`.execute(db);
      return rows;
    },
  };
}

export type VerdictQueries = ReturnType<typeof verdictQueries>;

export type ViesHistoryQueries = ReturnType<typeof viesHistoryQueries>;
