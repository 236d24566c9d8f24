/** The values of changed fields as text, for people and spreadsheets. */
import type { LeiFacts } from "../../../../src/contract/identifiers.ts";
import type { Insolvency } from "../../../../src/contract/insolvency.ts";
import type { Address } from "../../../../src/contract/resources.ts";
import { addressLine } from "../../language/addressLine.ts";

/** The words and formats of a reader. */
export interface ValueWords {
  readonly number: (value: number) => string;
  /** @param day YYYY-MM-DD */
  readonly day: (day: string) => string;
  readonly isActive: (isActive: boolean) => string;
  /** A legal form, the type of an insolvency, or a status of an LEI or on Peppol. */
  readonly code: (code: string) => string;
  /** Added to the main activity. */
  readonly main: string;
  /** The begin and the end of an insolvency, by the text of a day. */
  readonly since: (day: string) => string;
  readonly until: (day: string) => string;
}

interface Activity {
  readonly sbiCode: string;
  readonly sbiVersion?: string;
  readonly description?: string;
  readonly isMain: boolean;
}

type InsolvencyCase = Pick<Insolvency, "since" | "endedOn" | "court" | "caseNumber">;

interface Branch {
  readonly branchNumber: string;
  readonly name?: string;
  readonly city?: string;
}

/** Returns a value of a changed field in lines, one for each item of a list; none if there is no value. */
export function valueLines(field: string, value: unknown, words: ValueWords): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => itemLine(item, words));
  if (typeof value === "boolean") return [words.isActive(value)];
  if (typeof value === "number") return [words.number(value)];
  if (field === "identifiers") return [leiLine(value as LeiFacts, words)];
  if (field === "insolvencyCase") return [caseLine(value as InsolvencyCase, words)];
  if (typeof value !== "string") return [addressLine(value as Address) ?? ""].filter(Boolean);
  if (field === "deregistrationDate") return [words.day(value)];
  return [["legalForm", "insolvency", "peppol"].includes(field) ? words.code(value) : value];
}

function leiLine(identifiers: LeiFacts, { code }: ValueWords): string {
  const { lei, leiStatus } = identifiers;
  return joined(lei, leiStatus && code(leiStatus));
}

function caseLine(
  { since, endedOn, court, caseNumber }: InsolvencyCase,
  { day, since: from, until }: ValueWords,
): string {
  return joined(caseNumber, court, since && from(day(since)), endedOn && until(day(endedOn)));
}

function itemLine(item: string | Activity | Branch, { main }: ValueWords): string {
  if (typeof item === "string") return item;
  if ("branchNumber" in item) return joined(item.name, item.city, item.branchNumber);
  return (
    joined(item.sbiCode, item.description, item.sbiVersion && `SBI ${item.sbiVersion}`) +
    (item.isMain ? ` (${main})` : "")
  );
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}
