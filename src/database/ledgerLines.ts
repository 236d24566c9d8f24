import { type Kysely, sql } from "kysely";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Tables } from "./schema/tables.ts";

/**
 * The lines of the ledger and the rows of failed calls. A key, day and operation may have one row of each, which must
 * be summed. Failed calls with test keys are not counted.
 */
export function ledgerLines(db: Kysely<Tables>, isTest = false) {
  const { filed, failed } = ledgerParts(db, isTest);
  return isTest ? filed.as("ledger") : filed.unionAll(failed).as("ledger");
}

/** The two sources of rows; each has at most one for a key, day and operation. */
export function ledgerParts(db: Kysely<Tables>, isTest: boolean) {
  const filed = db
    .selectFrom("ledger as filed")
    .select(["account_id", "key_id", "day", "operation", "requests", "tokens"])
    .select(["refused_rate", "refused_allowance", "sessions", "session_calls"])
    .select([sql<number>`0`.as("failed_caller"), sql<number>`0`.as("failed_service")])
    .where("is_test", "=", isTest ? 1 : 0);
  const failed = db
    .selectFrom("failed_calls")
    .select(["account_id", "key_id", "day", "operation"])
    .select([sql<number>`0`.as("requests"), sql<number>`0`.as("tokens")])
    .select([sql<number>`0`.as("refused_rate"), sql<number>`0`.as("refused_allowance")])
    .select([sql<number>`0`.as("sessions"), sql<number>`0`.as("session_calls")])
    .select(["failed_caller", "failed_service"]);
  return { filed, failed };
}

export type LedgerRow = Omit<Tables["ledger"], "is_test"> &
  Pick<Tables["failed_calls"], "failed_caller" | "failed_service">;

/** The sum of a column, 0 without rows. The type of PostgreSQL's own sum may have fractions. */
export function sumOf<Name extends string>(column: keyof LedgerRow, name: Name) {
  return sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`.as(name);
}

/** The ledger line for the usage of a deleted account, when its address signs up again. */
export const EARLIER_ACCOUNT = { keyId: "earlier-account", operation: "other" } as const satisfies {
  keyId: string;
  operation: LedgerOperation;
};
