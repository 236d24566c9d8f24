import type { CaseType } from "../types.ts";

/** The effect of a publication on its case. */
export type Effect = "declared" | "ended" | "other";

/**
 * Codes of publications by their effect, from the court's schema (RSpublicWS_InsolvencyContent02.xsd, version 02.01).
 * Conversions into the kind of the case declare it. A code that begins with 1 is about bankruptcy, 2 about debt
 * restructuring, 3 about a suspension of payments.
 */
const CODES: Readonly<Record<Effect, string>> = {
  declared: "1100 1101 1200 1201 1300-1306 2100-2102 2200-2202 2301-2308 2337 3100 3200 3300-3302",
  ended: "1102 1202 1316-1320 1324 1333 1334 2328-2335 2354 2355 3307-3309 3313 3314",
  // Replaced curators and judges, meetings, appeals to come, lists of distributions, addresses, rectifications.
  other:
    "1307-1315 1322 1323 1325 1326 1328 1330-1332 2300 2309-2327 2336 2338-2349 2351-2353 3101 3102 3201 3202 3303-3306 3310 3311",
};
const EFFECTS: ReadonlyMap<string, Effect> = new Map([
  ...entriesOf("declared"),
  ...entriesOf("ended"),
  ...entriesOf("other"),
]);
/** Reopened after an agreement was rescinded, or revived because a bankruptcy was annulled: they follow an end. */
const REOPENING: ReadonlySet<string> = new Set(["1304", "2102", "2202", "2337"]);
/** Converted, or transferred to another court. */
const CONTINUED: ReadonlySet<string> = new Set(["1333", "1334", "2354", "2355", "3313", "3314"]);
const TYPES: ReadonlyMap<string, CaseType> = new Map([
  ["1", "bankruptcy"],
  ["2", "debt_restructuring"],
  ["3", "suspension_of_payments"],
]);

/** Undefined for an unknown code, which must change nothing. */
export function effectOf(code: string): Effect | undefined {
  return EFFECTS.get(code);
}

/** The kind of case that a known code is about. */
export function typeOfCode(code: string): CaseType | undefined {
  return TYPES.get(code.slice(0, 1));
}

/** Whether an end is a conversion or a move: the insolvency goes on in another case. */
export function isContinuing(code: string): boolean {
  return CONTINUED.has(code);
}

/** The order of publications of one day: a case is declared, then ended, then reopened. */
export function rankOf(code: string): number {
  if (REOPENING.has(code)) return 2;
  return effectOf(code) === "ended" ? 1 : 0;
}

function entriesOf(effect: Effect): readonly (readonly [code: string, effect: Effect])[] {
  return CODES[effect].split(" ").flatMap((range) => {
    const [first = "", last = first] = range.split("-");
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => [String(Number(first) + index), effect] as const);
  });
}
