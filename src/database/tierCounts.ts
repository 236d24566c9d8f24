import type { Kysely } from "kysely";
import { IS_OPEN_ACCOUNT } from "./accountLock.ts";
import type { Tables } from "./schema/tables.ts";

/** The number of accounts of a tier. */
export interface TierCount {
  readonly tierName: string;
  readonly accounts: number;
}

/** Counts accounts by tier, in the order of the names. */
export async function tierCounts(db: Kysely<Tables>): Promise<readonly TierCount[]> {
  const rows = await db
    .selectFrom("accounts")
    .select(["tier as tierName", ({ fn }) => fn.countAll<number>().as("accounts")])
    .where(IS_OPEN_ACCOUNT)
    .groupBy("tier")
    .execute();
  return rows.sort((left, right) => (left.tierName < right.tierName ? -1 : 1));
}
