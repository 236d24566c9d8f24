/**
 * KVK numbers as people and spreadsheets write them. Imports, lists, the terminal and the page's lists all read them by
 * this one rule; the paths and bodies of single calls take eight digits only (contract §6).
 */

/** Why a text holds no KVK number. */
export type NotAKvkNumber = "phone" | "date" | "rounded" | "length" | "text";

/**
 * The KVK number in a text. `short`: seven digits, of which a spreadsheet took the leading zero; `number` has it back. The first
 * two digits of a KVK number are never both zero, so that six digits are none.
 */
export type WrittenKvkNumber =
  | { readonly kind: "number" | "short"; readonly number: string }
  | { readonly kind: "empty" }
  | { readonly kind: "other"; readonly why: NotAKvkNumber };

const DIGITS = 8;
/** Control and formatting characters, of which none is seen: zero-width spaces, marks of direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
/** Forms that keep a cell a text in a spreadsheet: `="50000012"`, `'50000012`, `"50000012"`. */
const QUOTED = /^=?"(.*)"$/;
const LABEL =
  /^(?:kvk|k\.v\.k\.?|coc|kamer van koophandel|chamber of commerce|handelsregister|dossier|inschrijf)[\s_-]*(?:nummer|number|nr|no|#)?[\s.:#=-]*(?=[0-9])/i;
/** `31-12-2026`, `2026/12/31`: eight digits too once the signs are gone. */
const DATE = /^(?:\d{1,2}([-./ ])\d{1,2}\1\d{4}|\d{4}([-./ ])\d{1,2}\2\d{1,2})(?:[ T]\d{1,2}:.*)?$/;
/** The ways in which people part eight digits: in pairs, in halves, in threes from the right. */
const PARTED =
  /^(?:\d+(?: \d+)*|\d{2}([.-])\d{2}\1\d{2}\1\d{2}|\d{4}[.-]\d{4}|\d{1,3}([.,'-])\d{3}(?:\2\d{3})*)$/;
const WITH_DECIMALS = /^(\d{7,8})[.,]0+$/;
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i;

/** Longer than any number, however it is written. */
const MAX_LENGTH = 100;

/** Reads a text as a KVK number, and takes nothing else for one: no phone number, no date, no amount. */
export function readWrittenKvkNumber(text: string): WrittenKvkNumber {
  if (/^[0-9]{8}$/.test(text)) return { kind: "number", number: text };
  if (text.length > MAX_LENGTH) return other("text");
  const seen = text.normalize("NFKC").replace(INVISIBLE, "").trim();
  const bare = seen.replace(QUOTED, "$1").trim().replace(/^'/, "").replace(LABEL, "").trim();
  if (bare === "") return { kind: "empty" };
  if (!/\d/.test(bare)) return other("text");
  if (DATE.test(bare)) return other("date");
  const [, first = "", rest = "", power] = SCIENTIFIC.exec(bare) ?? [];
  // `5.0000001E7` still has every digit; `5,00E+07` has lost them.
  if (power !== undefined) return rest.length === Number(power) ? fromDigits(first + rest) : other("rounded");
  if (/^[+(]/.test(bare)) return other(/^[+(\d][\d\s()./-]+$/.test(bare) ? "phone" : "text");
  const digits = WITH_DECIMALS.exec(bare)?.[1] ?? (PARTED.test(bare) ? bare.replace(/\D/g, "") : undefined);
  if (digits !== undefined) return fromDigits(digits);
  return other(/^0[\d\s()./-]+$/.test(bare) ? "phone" : "text");
}

/** The eight digits that a text stands for; the text itself where it stands for none. */
export function withoutWriting(text: string): string {
  const read = readWrittenKvkNumber(text);
  return read.kind === "number" ? read.number : text;
}

function fromDigits(digits: string): WrittenKvkNumber {
  if (digits.length === DIGITS) return { kind: "number", number: digits };
  if (digits.length === DIGITS - 1 && !digits.startsWith("0")) {
    return { kind: "short", number: digits.padStart(DIGITS, "0") };
  }
  const isPhone = /^0[1-9]\d{8}$|^(?:00)?31\d{9}$/.test(digits);
  return other(isPhone ? "phone" : "length");
}

function other(why: NotAKvkNumber): WrittenKvkNumber {
  return { kind: "other", why };
}
