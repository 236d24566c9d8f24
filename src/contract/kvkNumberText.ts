/**
 * KVK numbers as people and spreadsheets write them, also as a Dutch EUID. Imports, lists, the terminal and the page's
 * lists share this rule; paths and bodies of single calls accept eight digits only (contract §6).
 */

import { kvkNumberOfEuid } from "./numbers.ts";

/** The reason why a text is not a KVK number. */
export type NotAKvkNumber = "phone" | "date" | "rounded" | "length" | "text";

/**
 * The KVK number in a text. `short`: seven digits, because a spreadsheet dropped the leading zero; `number` includes
 * it. The first two digits of a KVK number are never both zero, so six digits are not a KVK number.
 */
export type KvkNumberText =
  | { readonly kind: "number" | "short"; readonly number: string }
  | { readonly kind: "empty" }
  | { readonly kind: "other"; readonly why: NotAKvkNumber };

const DIGITS = 8;
/** Invisible control and formatting characters: zero-width spaces, direction marks. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
/** Forms that make a spreadsheet cell a text: `="50000012"`, `'50000012`, `"50000012"`. */
const QUOTED = /^=?"(.*)"$/;
const LABEL =
  /^(?:kvk|k\.v\.k\.?|coc|kamer van koophandel|chamber of commerce|handelsregister|dossier|inschrijf)[\s_-]*(?:(?:nummer|number|nr|no|#)[\s.:#=-]*|[.:=][\s.:#=-]*)?(?=[0-9])/i;
/** `31-12-2026`, `2026/12/31`: also eight digits without the separators. */
const DATE = /^(?:\d{1,2}([-./ ])\d{1,2}\1\d{4}|\d{4}([-./ ])\d{1,2}\2\d{1,2})(?:[ T]\d{1,2}:.*)?$/;
/** Common ways to group eight digits: in pairs, in halves, in threes from the right. */
const GROUPED =
  /^(?:\d+(?: \d+)*|\d{2}([.-])\d{2}\1\d{2}\1\d{2}|\d{4}[.-]\d{4}|\d{1,3}([.,'-])\d{3}(?:\2\d{3})*)$/;
const WITH_DECIMALS = /^(\d{7,8})[.,]0+$/;
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i;

/** Longer than a number in any notation. */
const MAX_LENGTH = 100;

/** Reads a text as a KVK number, and rejects phone numbers, dates and amounts. */
export function parseKvkNumberText(text: string): KvkNumberText {
  if (/^[0-9]{8}$/.test(text)) return { kind: "number", number: text };
  if (text.length > MAX_LENGTH) return other("text");
  const seen = text.normalize("NFKC").replace(INVISIBLE, "").trim();
  const bare = seen.replace(QUOTED, "$1").trim().replace(/^'/, "").replace(LABEL, "").trim();
  if (bare === "") return { kind: "empty" };
  const ofEuid = kvkNumberOfEuid(bare);
  if (ofEuid !== undefined) return { kind: "number", number: ofEuid };
  if (!/\d/.test(bare)) return other("text");
  if (DATE.test(bare)) return other("date");
  const [, first = "", rest = "", power] = SCIENTIFIC.exec(bare) ?? [];
  // `5.0000001E7` still has every digit; `5,00E+07` has lost them.
  if (power !== undefined) return rest.length === Number(power) ? fromDigits(first + rest) : other("rounded");
  if (/^[+(]/.test(bare)) return other(/^[+(\d][\d\s()./-]+$/.test(bare) ? "phone" : "text");
  const digits = WITH_DECIMALS.exec(bare)?.[1] ?? (GROUPED.test(bare) ? bare.replace(/\D/g, "") : undefined);
  if (digits !== undefined) return fromDigits(digits);
  return other(/^0[\d\s()./-]+$/.test(bare) ? "phone" : "text");
}

/** The eight digits of a written KVK number; any other text unchanged. */
export function kvkDigitsOf(text: string): string {
  const read = parseKvkNumberText(text);
  return read.kind === "number" ? read.number : text;
}

function fromDigits(digits: string): KvkNumberText {
  if (digits.length === DIGITS) return { kind: "number", number: digits };
  if (digits.length === DIGITS - 1 && !digits.startsWith("0")) {
    return { kind: "short", number: digits.padStart(DIGITS, "0") };
  }
  const isPhone = /^0[1-9]\d{8}$|^(?:00)?31\d{9}$/.test(digits);
  return other(isPhone ? "phone" : "length");
}

function other(why: NotAKvkNumber): KvkNumberText {
  return { kind: "other", why };
}
