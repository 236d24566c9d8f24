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

/** A number in its normal form. `short`: zeros that it had lost were added. */
interface NumberRead {
  readonly kind: "number" | "short";
  readonly number: string;
}

export interface QueryNumbers {
  readonly numbers: { readonly [Field in NumberField]?: string };
  readonly notes: readonly MatchNote[];
}

const NAMES: Readonly<Record<NumberField, string>> = {
  kvkNumber: "KVK number",
  rsin: "RSIN",
  vatNumber: "VAT number",
};

const READERS: Readonly<Record<NumberField, (text: string) => NumberRead | undefined>> = {
  kvkNumber(text) {
    const read = parseKvkNumberText(text);
    return "number" in read && read.number !== PLACEHOLDER_KVK_NUMBER ? read : undefined;
  },
  rsin(text) {
    const digits = text.replace(/[\s.]/g, "");
    if (/^[0-9]{9}$/.test(digits)) return { kind: "number", number: digits };
    const number = digits.padStart(9, "0");
    return digits.length === 8 && passesElfproef(number) ? { kind: "short", number } : undefined;
  },
  vatNumber(text) {
    const plain = text.replace(/[\s.-]/g, "").toUpperCase();
    return /^NL[0-9]{9}B[0-9]{2}$/.test(plain) ? { kind: "number", number: plain } : undefined;
  },
};

/**
 * Reads the numbers of a query.
 * @param isDescribed whether the query has a name or an address, which then decides
 */
export function readNumbers(sent: SentQuery, isDescribed: boolean): QueryNumbers | InvalidQuery {
  const numbers: { [Field in NumberField]?: string } = {};
  const notes: MatchNote[] = [];
  for (const field of NUMBER_FIELDS) {
    const text = tidy(sent[field] ?? "");
    if (text === undefined || !/[\p{L}\p{N}]/u.test(text)) continue;
    const read = READERS[field](text);
    if (read !== undefined && (isDescribed || read.kind === "number")) {
      numbers[field] = read.number;
      if (read.kind === "short") notes.push(padded(field, read.number));
    } else if (isDescribed) {
      notes.push({
        code: "number_unusable",
        message: `the ${NAMES[field]} does not have the right form and was not used`,
      });
    } else if (!isUnknownWord(text)) return invalidNumber(field, text);
  }
  return { numbers, notes };
}

function padded(field: NumberField, number: string): MatchNote {
  const shown = field === "kvkNumber" ? `: ${number}` : "";
  return {
    code: "number_padded",
    message: `the ${NAMES[field]} had lost a leading zero, which was added${shown}`,
  };
}

/** Messages repeat no RSIN and no VAT number, which may contain a citizen's number. */
function invalidNumber(field: NumberField, text: string): InvalidQuery {
  if (field === "kvkNumber") {
    const message = `kvkNumber must be exactly 8 digits; received ${quoted(text)}${lostZeroHint(text)}`;
    return { code: "INVALID_KVK_NUMBER", message };
  }
  if (field === "rsin") return { code: "INVALID_REQUEST", message: "rsin must be exactly 9 digits" };
  const message = "vatNumber must be a Dutch one: NL, nine digits, B and two digits";
  return { code: "INVALID_VAT_NUMBER", message };
}
