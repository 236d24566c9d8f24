/** Changes of a company's case at the court. */
import { known } from "../lib/values.ts";
import type { Difference, Field } from "./differences.ts";
import type { WatchedFields } from "./types.ts";

/** A field of an event. */
export type ChangedField = Field | "insolvencyCase";

export function isInsolvent({ insolvency = "none" }: WatchedFields = {}): boolean {
  return insolvency !== "none";
}

/**
 * Completes the changed fields of the court's facts: an insolvency that changes has its case, and another case of the
 * same kind is a change too. An open case that is gone without an end, of its own or of a later case, was removed.
 * @param changed without `insolvency` if another origin reported it
 */
export function withCase(
  changed: ReadonlyMap<ChangedField, Difference>,
  previous: WatchedFields,
  now: WatchedFields,
): ReadonlyMap<ChangedField, Difference> {
  const [was, is] = [previous.insolvencyCase, now.insolvencyCase];
  const isOther = was?.caseNumber !== is?.caseNumber;
  const insolvency = changed.get("insolvency");
  const isMove = isOther && previous.insolvency === now.insolvency && isInsolvent(now);
  if ((was ?? is) === undefined || (insolvency === undefined && !(isMove && was && is))) return changed;
  const isRemoval = insolvency?.current === "none" && isOther && (is?.since ?? "") < (was?.since ?? "");
  return new Map([
    ...changed,
    ...(isRemoval ? [["insolvency", { ...insolvency, reason: "removed" }] as const] : []),
    ["insolvencyCase", { ...known("previous", was), ...(!isRemoval && known("current", is)) }] as const,
  ]);
}
