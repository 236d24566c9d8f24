import type { Cell } from "./table.ts";
import { textOf } from "./table.ts";

/** Why a cell holds no KVK number. */
export type NotANumber = "phone" | "date" | "rounded" | "length" | "text";

/**
 * What a cell says. `short`: seven digits, of which a spreadsheet took the leading zero; `number` has it back. The first two
 * digits of a KVK number are never both zero, so that six digits are none.
 */
export type ReadNumber =
  | { readonly kind: "number" | "short"; readonly number: string }
  | { readonly kind: "empty" }
  | { readonly kind: "other"; readonly why: NotANumber };

const EMPTY = { kind: "empty" } as const;
const DIGITS = 8;
const UNSEEN = /[\p{Cf}\u00ad]/gu;
const LABEL = /^(?:kvk|k\.v\.k\.?|coc)(?:[\s_-]*(?:nummer|number|nr|no))?[\s.:#=-]*(?=[0-9])/i;
/** `31-12-2026`, `2026/12/31`: eight digits too once the signs are gone. */
const DATE = /^(?:\d{1,2}([-./ ])\d{1,2}\1\d{4}|\d{4}([-./ ])\d{1,2}\2\d{1,2})(?:[ T]\d{1,2}:.*)?$/;
/** The ways in which people part eight digits: in pairs, in halves, in threes from the right. */
const PARTED = /^(?:\d+(?: \d+)*|\d{2}([.-])\d{2}\1\d{2}\1\d{2}|\d{4}[.-]\d{4}|\d{1,3}(?:\.\d{3})+)$/;
const WITH_DECIMALS = /^(\d{7,8})[.,]0+$/;
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i;

/** Reads a cell as people and spreadsheets write KVK numbers, and takes nothing else for one: no phone number, no date, no amount. */
export function readNumber(cell: Cell | undefined): ReadNumber {
  if (cell instanceof Date) return other("date");
  if (typeof cell === "boolean") return other("text");
  const text = textOf(cell).normalize("NFKC").replace(UNSEEN, "").trim().replace(/^'/, "").replace(LABEL, "");
  if (text === "") return EMPTY;
  if (!/\d/.test(text)) return other("text");
  if (DATE.test(text)) return other("date");
  const scientific = SCIENTIFIC.exec(text);
  if (scientific !== null) return fromScientific(scientific);
  if (/^[+(]/.test(text)) return other(/^[+(\d][\d\s()./-]+$/.test(text) ? "phone" : "text");
  const digits = WITH_DECIMALS.exec(text)?.[1] ?? (PARTED.test(text) ? text.replace(/\D/g, "") : undefined);
  if (digits !== undefined) return fromDigits(digits);
  return other(/^0[\d\s()./-]+$/.test(text) ? "phone" : "text");
}

function fromDigits(digits: string): ReadNumber {
  if (digits.length === DIGITS) return { kind: "number", number: digits };
  if (digits.length === DIGITS - 1 && !digits.startsWith("0")) {
    return { kind: "short", number: digits.padStart(DIGITS, "0") };
  }
  const isPhone = /^0[1-9]\d{8}$|^(?:00)?31\d{9}$/.test(digits);
  return other(isPhone ? "phone" : "length");
}

/** `5.0000001E7` still has every digit; `5,00E+07` has lost them. */
function fromScientific([, first = "", rest = "", power = ""]: readonly string[]): ReadNumber {
  return rest.length === Number(power) ? fromDigits(first + rest) : other("rounded");
}

function other(why: NotANumber): ReadNumber {
  return { kind: "other", why };
}
