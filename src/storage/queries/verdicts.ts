import { type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import type { CachedAnswers, KeptAnswer, VerdictStore } from "../../vat/verdicts/store.ts";
import type { Tables } from "../schema/tables.ts";
import { changeSome, deleteStep } from "./sweeping.ts";

/** Verdicts in SQL that every store understands. */
export function verdictQueries(db: Kysely<Tables>): VerdictStore {
  return {
    ...consultationQueries(db),

    async findVerdicts(vatNumbers) {
      if (vatNumbers.length === 0) return [];
      const rows = await db
        .selectFrom("verdicts")
        .selectAll()
        .where("vat_number", "in", vatNumbers)
        .execute();
      const held = new Map(rows.map((row) => [row.vat_number, asHeld(row)]));
      return vatNumbers.map((vatNumber) => held.get(vatNumber) ?? null);
    },

    async keepVerdict(vatNumber, { valid, validatedAt, name = null, address = null, receivedAtMs }) {
      const last = {
        valid: valid ? 1 : 0,
        validated_at: validatedAt,
        name,
        address,
        received_at_ms: receivedAtMs,
      };
      // A refusal leaves the columns of the last positive answer as they are.
      const positive = valid
        ? {
            positive_validated_at: validatedAt,
            positive_name: name,
            positive_address: address,
            positive_received_at_ms: receivedAtMs,
          }
        : {};
      await db
        .insertInto("verdicts")
        .values({ vat_number: vatNumber, ...last, ...positive })
        .onConflict((conflict) =>
          conflict
            .column("vat_number")
            .doUpdateSet({ ...last, ...positive })
            .where("verdicts.received_at_ms", "<=", receivedAtMs),
        )
        .execute();
    },

    forgetVerdicts: (beforeMs) => forgetVerdicts(db, beforeMs),
  };
}

async function forgetVerdicts(db: Kysely<Tables>, beforeMs: number): Promise<boolean> {
  const isOld = sql<SqlBool>`received_at_ms < ${beforeMs}`;
  const room = await deleteStep(db, [
    { table: "verdicts", isOver: isOld },
    { table: "consultations", isOver: isOld },
  ]);
  if (room === 0) return true;
  // Of a positive answer that is the last it has gone with it by now; said so that the index on refusals serves.
  const isRefused = sql<SqlBool>`valid = 0 and positive_received_at_ms < ${beforeMs}`;
  const changed = await changeSome(
    db,
    { table: "verdicts", isOver: isRefused },
    room,
    sql`update verdicts set positive_validated_at = null, positive_name = null, positive_address = null,
      positive_received_at_ms = null`,
  );
  return changed === room;
}

/** What VIES told a requester, which belongs to the account that asked. */
function consultationQueries(db: Kysely<Tables>): Pick<VerdictStore, "keepConsultation" | "consultation"> {
  return {
    async keepConsultation({
      accountId,
      vatNumber,
      requester,
      validatedAt,
      consultationNumber,
      receivedAtMs,
    }) {
      const told = {
        validated_at: validatedAt,
        consultation_number: consultationNumber,
        received_at_ms: receivedAtMs,
      };
      await db
        .insertInto("consultations")
        .values({ account_id: accountId, vat_number: vatNumber, requester, ...told })
        .onConflict((conflict) =>
          conflict
            .columns(["account_id", "vat_number", "requester"])
            .doUpdateSet(told)
            .where("consultations.received_at_ms", "<=", receivedAtMs),
        )
        .execute();
    },

    async consultation(accountId, vatNumber, requester) {
      const row = await db
        .selectFrom("consultations")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("vat_number", "=", vatNumber)
        .where("requester", "=", requester)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        accountId,
        vatNumber,
        requester,
        validatedAt: row.validated_at,
        consultationNumber: row.consultation_number,
        receivedAtMs: Number(row.received_at_ms),
      };
    },
  };
}

function asHeld(row: Selectable<Tables["verdicts"]>): CachedAnswers {
  const last = asAnswer(row.valid === 1, row.validated_at, row.name, row.address, row.received_at_ms);
  const { positive_validated_at, positive_received_at_ms } = row;
  if (positive_validated_at === null || positive_received_at_ms === null) return { last };
  const lastPositive = asAnswer(
    true,
    positive_validated_at,
    row.positive_name,
    row.positive_address,
    positive_received_at_ms,
  );
  return { last, lastPositive };
}

function asAnswer(
  valid: boolean,
  validatedAt: string,
  name: string | null,
  address: string | null,
  receivedAtMs: number,
): KeptAnswer {
  return {
    valid,
    validatedAt,
    receivedAtMs: Number(receivedAtMs),
    ...(name !== null && { name }),
    ...(address !== null && { address }),
  };
}
