/** Erasing a removed case of the court's register from events, messages and baselines. */

import type { Kysely } from "kysely";
import type { Changes } from "../../contract/eventTypes.ts";
import { COURT_ORIGIN } from "../../contract/insolvency.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { findRows, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { WatchedFields } from "../types.ts";
import { rewriteChanges } from "./hiding.ts";
import { reservePlaces } from "./pending.ts";

export function erasureQueries(db: Kysely<Tables>) {
  return {
    /**
     * Erases cases from what monitors have stored about a company. What remains of an event is its type, its times and
     * that no case is known.
     */
    async eraseCases(kvkNumber: KvkNumber, caseNumbers: readonly string[]): Promise<void> {
      const erased = new Set(caseNumbers);
      await retryCollisions(() =>
        db.transaction().execute(async (transaction) => {
          await reservePlaces(transaction, 0);
          const court = { kvk_number: kvkNumber, origin: COURT_ORIGIN };
          for (const { fields: text } of await findRows(transaction, "monitor_baselines", court)) {
            const { insolvencyCase, insolvency, ...others } = JSON.parse(text) as WatchedFields;
            if (insolvencyCase === undefined || !erased.has(insolvencyCase.caseNumber)) continue;
            const fields = { ...others, ...(insolvency === "none" && { insolvency }) };
            await updateRows(transaction, "monitor_baselines", court, { fields: JSON.stringify(fields) });
          }
          await rewriteChanges(transaction, kvkNumber, "company.insolvency_changed", (changes) =>
            withoutCases(changes, erased),
          );
        }),
      );
    },
  };
}

/** Changes without the values of removed cases; that there is no case any more stays. */
function withoutCases(changes: Changes, erased: ReadonlySet<string>): Changes {
  const { insolvencyCase = {}, insolvency = {}, ...others } = changes;
  const numbers: Readonly<Record<string, string>> = {
    previous: numberIn(insolvencyCase.previous),
    current: numberIn(insolvencyCase.current),
  };
  const isErased = (when: string) => erased.has(numbers[when] ?? "");
  if (!isErased("previous") && !isErased("current")) return changes;
  const cases = Object.entries(insolvencyCase).filter(([when]) => !isErased(when));
  const types = Object.entries(insolvency).filter(([when, type]) => !isErased(when) || type === "none");
  return {
    ...others,
    ...(types.some(([when]) => when === "current") && { insolvency: Object.fromEntries(types) }),
    ...(cases.length > 0 && { insolvencyCase: Object.fromEntries(cases) }),
  };
}

function numberIn(value: unknown): string {
  return typeof value === "object" && value !== null && "caseNumber" in value ? String(value.caseNumber) : "";
}
