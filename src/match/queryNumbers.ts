/**
 * Reads the numbers of a query. One that cannot be right does not fail a query that has a name or an address: it is
 * left out, with a note.
 */
import { isUnknownWord } from "../company/table/row.ts";
import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import type { MatchNote } from "../contract/matchResources.ts";
import {
  euidOf,
  IDENTIFIER_RULES,
  kvkNumberOfEuid,
  lostZeroHint,
  PLACEHOLDER_KVK_NUMBER,
  parseLei,
  passesElfproef,
} from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { tidy } from "../lib/values.ts";
import { NUMBER_FIELDS, NUMBER_LABELS, type NumberField } from "./numberFields.ts";
import type { InvalidQuery, SentQuery } from "./types.ts";

type Numbers = { [Field in NumberField]?: string };

export function isNumberField(field: string): field is NumberField {
  return Object.hasOwn(NUMBER_LABELS, field);
}

/** @param isDescribed whether the query has a name or an address, which then decides */
export function readNumbers(
  sent: SentQuery,
  isDescribed: boolean,
): { readonly numbers: Numbers; readonly notes: readonly MatchNote[] } | InvalidQuery {
  const numbers: Numbers = {};
  const notes: MatchNote[] = [];
  for (const field of NUMBER_FIELDS) {
    const text = tidy(sent[field] ?? "");
    if (text === undefined || isUnknownWord(text) || !/[\p{L}\p{N}]/u.test(text)) continue;
    const { kind, number = "" } = numberIn(field, text);
    if (kind === "number" || (kind === "short" && isDescribed)) numbers[field] = number;
    else if (!isDescribed) return errorOf(field, text);
    const label = `the ${NUMBER_LABELS[field]}`;
    const zero = `${label} had lost a leading zero, which was added`;
    if (kind === undefined)
      notes.push({
        code: "number_unusable",
        message: `${label} does not have the right form and was not used`,
      });
    if (kind === "short")
      notes.push({ code: "number_padded", message: field === "kvkNumber" ? `${zero}: ${number}` : zero });
  }
  return { numbers, notes };
}

/** The normal form of a number; `short` if a zero that it had lost was added. */
function numberIn(field: NumberField, text: string): { kind?: "number" | "short"; number?: string } {
  const read = parseKvkNumberText(text);
  if (field === "kvkNumber") return "number" in read && read.number !== PLACEHOLDER_KVK_NUMBER ? read : {};
  if (field === "lei" || field === "euid") {
    const kvkNumber = kvkNumberOfEuid(text);
    const number = field === "lei" ? parseLei(text) : kvkNumber && euidOf(kvkNumber);
    return number === undefined ? {} : { kind: "number", number };
  }
  const number = text.replace(/[\s.-]/g, "").toUpperCase();
  const form = field === "rsin" ? /^[0-9]{9}$/ : /^NL[0-9]{9}B[0-9]{2}$/;
  if (form.test(number)) return { kind: "number", number };
  const isShort = field === "rsin" && number.length === 8 && passesElfproef(`0${number}`);
  return isShort ? { kind: "short", number: `0${number}` } : {};
}

/** Repeats no RSIN and no VAT number, which may contain a citizen's number. */
function errorOf(field: NumberField, text: string): InvalidQuery {
  if (field === "rsin") return { code: "INVALID_REQUEST", message: "rsin must be exactly 9 digits" };
  const vatRule = "vatNumber must be a Dutch one: NL, nine digits, B and two digits";
  if (field === "vatNumber") return { code: "INVALID_VAT_NUMBER", message: vatRule };
  if (field === "lei" || field === "euid")
    return {
      code: "INVALID_REQUEST",
      message: `${field} must be ${IDENTIFIER_RULES[field]}; received ${quoted(text)}`,
    };
  const message = `kvkNumber must be exactly 8 digits; received ${quoted(text)}${lostZeroHint(text)}`;
  return { code: "INVALID_KVK_NUMBER", message };
}
