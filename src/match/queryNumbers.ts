/** Reads the numbers of a query. One that cannot be right does not fail a query that has a name or an address: it is left out, with a note. */
import { isUnknownWord } from "../company/table/row.ts";
import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import type { MatchNote } from "../contract/matchResources.ts";
import { lostZeroHint, PLACEHOLDER_KVK_NUMBER, passesElfproef } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { tidy } from "../lib/values.ts";
import type { InvalidQuery, SentQuery } from "./readQuery.ts";

export const NUMBER_FIELDS = ["kvkNumber", "rsin", "vatNumber"] as const;
type NumberField = (typeof NUMBER_FIELDS)[number];
type Numbers = { [Field in NumberField]?: string };

interface NumberKind {
  readonly label: string;
  /** Returns the number in its normal form. `short`: a zero that it had lost was added. */
  readonly read: (text: string) => { readonly kind: "number" | "short"; readonly number: string } | undefined;
  /** Repeats no RSIN and no VAT number, which may contain a citizen's number. */
  readonly error: (text: string) => InvalidQuery;
}

const KINDS: Readonly<Record<NumberField, NumberKind>> = {
  kvkNumber: {
    label: "KVK number",
    read(text) {
      const read = parseKvkNumberText(text);
      return "number" in read && read.number !== PLACEHOLDER_KVK_NUMBER ? read : undefined;
    },
    error: (text) => ({
      code: "INVALID_KVK_NUMBER",
      message: `kvkNumber must be exactly 8 digits; received ${quoted(text)}${lostZeroHint(text)}`,
    }),
  },
  rsin: {
    label: "RSIN",
    read(text) {
      const digits = text.replace(/[\s.]/g, "");
      const number = digits.padStart(9, "0");
      if (/^[0-9]{9}$/.test(digits)) return { kind: "number", number };
      return digits.length === 8 && passesElfproef(number) ? { kind: "short", number } : undefined;
    },
    error: () => ({ code: "INVALID_REQUEST", message: "rsin must be exactly 9 digits" }),
  },
  vatNumber: {
    label: "VAT number",
    read(text) {
      const number = text.replace(/[\s.-]/g, "").toUpperCase();
      return /^NL[0-9]{9}B[0-9]{2}$/.test(number) ? { kind: "number", number } : undefined;
    },
    error: () => ({
      code: "INVALID_VAT_NUMBER",
      message: "vatNumber must be a Dutch one: NL, nine digits, B and two digits",
    }),
  },
};

/** @param isDescribed whether the query has a name or an address, which then decides */
export function readNumbers(
  sent: SentQuery,
  isDescribed: boolean,
): { readonly numbers: Numbers; readonly notes: readonly MatchNote[] } | InvalidQuery {
  const numbers: Numbers = {};
  const notes: MatchNote[] = [];
  for (const field of NUMBER_FIELDS) {
    const text = tidy(sent[field] ?? "");
    if (text === undefined || !/[\p{L}\p{N}]/u.test(text)) continue;
    const { label, read, error } = KINDS[field];
    const { kind, number = "" } = read(text) ?? {};
    if (kind === "number" || (kind === "short" && isDescribed)) numbers[field] = number;
    else if (!isDescribed && !isUnknownWord(text)) return error(text);
    else
      notes.push({
        code: "number_unusable",
        message: `the ${label} does not have the right form and was not used`,
      });
    if (kind !== "short") continue;
    const shown = field === "kvkNumber" ? `: ${number}` : "";
    notes.push({
      code: "number_padded",
      message: `the ${label} had lost a leading zero, which was added${shown}`,
    });
  }
  return { numbers, notes };
}
