/** Reads what people paste into the search box instead of a name: numbers of every kind, and addresses of the internet. */
import { HINTS, type Hint, type HintCode } from "../contract/hints.ts";
import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import { cleanQuery } from "../search/query.ts";
import { isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";

/** A text that was read, and the hint if it finds nothing. */
interface Pasted {
  readonly code: HintCode;
  /** The RSIN, which a VAT number contains. The VAT numbers of sole traders are not searched: older ones contain a citizen's number. */
  readonly rsin?: string;
  /** With the zero that it had lost. */
  readonly kvkNumber?: string;
}

const MAX_LENGTH = 100;
/** Words before a number that say what it is: `btw-nummer:`. Input: at most 100 letters. */
const LABEL = /^\p{L}{3}[\p{L} .-]{0,30}?[ .:#=-]+(?=[+(]?[0-9]|\p{Lu}{2,4}[ .-]?[0-9])/u;
const DUTCH_VAT_NUMBER =
  /(?<![\p{L}\p{N}])(?:NL)?[ .-]?((?:[0-9][ .-]?){9})B[ .-]?[0-9]{2}(?![\p{L}\p{N}])/iu;
const separated = (digits: number) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}+]|[0-9][ .-])[0-9](?:[ .-]?[0-9]){${digits - 1}}(?![\\p{L}\\p{N}]|[ .-][0-9])`,
    "u",
  );
const NINE_DIGITS = separated(9);
const TWELVE_DIGITS = separated(12);
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;
const LEI = /^[A-Z0-9]{18}[0-9]{2}$/;
const EMAIL_ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]{2}/u;
const WEBSITE =
  /^(?:https?:\/\/|www\.)|^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:nl|com|eu|be|org|net)(?:\/\S*)?$/iu;

/** Reads a text as something else than a name; undefined if it may be one. */
export function readPasted(q: string): Pasted | undefined {
  const text = cleanQuery(q).normalize("NFKC").trim();
  if (text.length > MAX_LENGTH) return undefined;
  const [, number] = DUTCH_VAT_NUMBER.exec(text) ?? [];
  if (number !== undefined) return { code: "vat_number_unknown", rsin: digitsOf(number) };
  const bare = text.replace(LABEL, "");
  const compact = bare.replace(/[\s.-]/g, "").toUpperCase();
  if (IBAN.test(compact) && remainder(compact.slice(4) + compact.slice(0, 4)) === 1) return { code: "iban" };
  if (LEI.test(compact) && remainder(compact) === 1) return { code: "lei" };
  const vat = parseVatNumber(bare);
  if (/[0-9]{7}/.test(compact) && isVatNumber(vat) && !vat.check.isMalformed)
    return { code: "foreign_vat_number" };
  const kvk = parseKvkNumberText(bare);
  if (kvk.kind === "short") return { code: "lost_zero", kvkNumber: kvk.number };
  if (kvk.kind === "other" && kvk.why === "phone") return { code: "phone_number" };
  const nine = NINE_DIGITS.exec(text)?.[0];
  if (nine !== undefined) return { code: "rsin_unknown", rsin: digitsOf(nine) };
  if (TWELVE_DIGITS.test(text)) return { code: "branch_number" };
  if (EMAIL_ADDRESS.test(text)) return { code: "email_address" };
  return WEBSITE.test(text) ? { code: "website" } : undefined;
}

/** Returns the hint about an answer: if nothing was found, or if a zero was added. */
export function hintOf(
  q: string | undefined,
  results: readonly { readonly kvkNumber: string }[],
): Hint | undefined {
  const pasted = q === undefined ? undefined : readPasted(q);
  const [first] = results;
  const isPadded = pasted?.code === "lost_zero" && first?.kvkNumber === pasted.kvkNumber;
  if (pasted === undefined || (first !== undefined && !isPadded)) return undefined;
  return { code: pasted.code, message: HINTS[pasted.code] };
}

function digitsOf(text: string): string {
  return text.replace(/[^0-9]/g, "");
}

/** The remainder modulo 97 of the check of ISO 7064, in which letters stand for 10 to 35. */
function remainder(text: string): number {
  return [...text].reduce((sum, letter) => Number(`${sum}${Number.parseInt(letter, 36)}`) % 97, 0);
}
