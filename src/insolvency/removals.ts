/** Lists of removed cases. */
import type { Transaction } from "kysely";
import { countRows, findRows, type Row, updateRows } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { dueAfter, putDue } from "./due.ts";
import { caseKeyOf, caseNumberOf, momentMs } from "./rules.ts";
import { type CourtProgress, caseOf, inParts, MAX_ROWS } from "./stored.ts";
import type { RemovedCase } from "./types.ts";

/** More removals in one list, and more than this part of all cases, need permission. */
const MAX_REMOVALS = 20;
const MAX_REMOVED_PART = 0.1;

/** Whether so many removals of one list need permission. */
export async function areTooMany(
  transaction: Transaction<Tables>,
  { length }: readonly Row<"court_cases">[],
): Promise<boolean> {
  if (length <= MAX_REMOVALS) return false;
  return length > MAX_REMOVED_PART * (await countRows(transaction, "court_cases", {}));
}

/**
 * Returns the rows of removed cases. A case is due again instead if it was fetched by the last list, because it may
 * have been published again since, or if the removal has its number but another reference, as of another court.
 */
export async function removedRows(
  transaction: Transaction<Tables>,
  at: CourtProgress,
  items: readonly RemovedCase[],
): Promise<readonly Row<"court_cases">[]> {
  const named = new Map<string, Row<"court_cases">>();
  const asked = new Map<string, Row<"court_cases">>();
  for (const some of inParts(items)) {
    const numbers = some.flatMap(({ caseNumber, publication }) => [
      caseNumber,
      caseNumberOf(publication) ?? caseNumber,
    ]);
    const known = await findRows(transaction, "court_cases", { case_number: [...new Set(numbers)] });
    for (const { caseNumber, publication } of some) {
      const number = caseNumberOf(publication);
      const same = known.filter((row) => row.case_number === caseNumber || row.case_number === number);
      const key = caseKeyOf(publication);
      const own = same.filter((row) => caseKeyOf(caseOf(row).publication) === key);
      for (const row of own) named.set(row.id, row);
      if (own.length === 0) for (const row of same) asked.set(row.id, row);
    }
  }
  if (items.length > 0) await noteRemovedDue(transaction, items);
  if (!(await areTooMany(transaction, [...named.values()]))) {
    const young = [...named.values()].filter((row) => row.list_ms >= momentMs(at.modifiedFrom));
    for (const row of young) named.delete(row.id) && asked.set(row.id, row);
  }
  await putDue(
    transaction,
    [...asked.values()].map((row) => caseOf(row).publication),
    1,
  );
  return [...named.values()];
}

/** Marks due cases that the court has removed: only then it may say that there is none. */
async function noteRemovedDue(
  transaction: Transaction<Tables>,
  items: readonly RemovedCase[],
): Promise<void> {
  const keys = new Set(items.flatMap(({ caseNumber, publication }) => [caseNumber, caseKeyOf(publication)]));
  for (let after: string | undefined = ""; after !== undefined; ) {
    const due: readonly Row<"court_due">[] = await findRows(
      transaction,
      "court_due",
      {},
      dueAfter(after, MAX_ROWS),
    );
    const publication = due
      .map((row) => row.publication)
      .filter((one) => keys.has(caseKeyOf(one)) || keys.has(caseNumberOf(one) ?? ""));
    if (publication.length > 0)
      await updateRows(transaction, "court_due", { publication }, { is_removed: 1 });
    after = due.length < MAX_ROWS ? undefined : due.at(-1)?.publication;
  }
}
