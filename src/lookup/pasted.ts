/**
 * Reads what people paste into the search box instead of a name: numbers of every kind, and addresses of the internet.
 */
import { HINTS, type Hint, type HintCode } from "../contract/hints.ts";
import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import { parseLei } from "../contract/numbers.ts";
import { cleanQuery } from "../search/query.ts";
import { isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";

/** An RSIN in a text, and the hint if no company has it. */
interface PastedRsin {
  readonly code: HintCode;
  /**
   * Also that of a VAT number. The VAT numbers of sole traders are not searched: older ones contain a citizen's number.
   */
  readonly rsin: string;
}

/** Longer texts are names. */
const MAX_LENGTH = 100;
/** Words before a number that say what it is: `btw-nummer:`. */
const LABEL = /^\p{L}{3}[\p{L} .-]{0,30}?[ .:#=-]+(?=[+(]?[0-9]|\p{Lu}{2,4}[ .-]?[0-9])/u;
const DUTCH_VAT_NUMBER =
  /(?<![\p{L}\p{N}])(?:NL)?[ .-]?((?:[0-9][ .-]?){9})B[ .-]?[0-9]{2}(?![\p{L}\p{N}])/iu;
/** Not behind the code of a country. */
const NINE_DIGITS =
  /(?<![\p{L}\p{N}+]|[0-9][ .-]|(?<!\p{L})(?:\p{Lu}{2}|CHE)[ .-])[0-9](?:[ .-]?[0-9]){8}(?![\p{L}\p{N}]|[ .-][0-9])/u;
const IBAN = /^[A-Z]{2}[0-9]{2}(?:[A-Z]{4}[0-9]{6,22}|[0-9]{12,26})$/;
const EMAIL_ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]{2}/u;
const WEBSITE =
  /^(?:https?:\/\/|www\.)|^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:nl|com|eu|be|org|net)(?:\/\S*)?$/iu;

/** Returns the number in a text by which companies can be found: an LEI or an RSIN. */
export function readNumber(q: string): { readonly lei: string } | { readonly rsin: string } | undefined {
  const text = textOf(q)
    .replace(LABEL, "")
    .replace(/^LEI[\s:]+/i, "");
  const lei = parseLei(text.replace(/[.-]/g, ""));
  if (lei !== undefined) return { lei };
  const rsin = readRsin(q)?.rsin;
  return rsin === undefined ? undefined : { rsin };
}

/** Returns the RSIN in a text; undefined if there is none. */
export function readRsin(q: string): PastedRsin | undefined {
  const text = textOf(q);
  // Most texts are names without digits.
  if (!/[0-9]/.test(text)) return undefined;
  const vatNumber = DUTCH_VAT_NUMBER.exec(text)?.[1];
  const rsin = (vatNumber ?? NINE_DIGITS.exec(text)?.[0])?.replace(/[ .-]/g, "");
  if (rsin === undefined) return undefined;
  return { code: vatNumber === undefined ? "rsin_unknown" : "vat_number_unknown", rsin };
}

function textOf(q: string): string {
  const text = cleanQuery(q).normalize("NFKC").trim();
  return text.length > MAX_LENGTH ? "" : text;
}

function codeOf(text: string): HintCode | undefined {
  const compact = text.replace(/[\s.-]/g, "").toUpperCase();
  const kvk = parseKvkNumberText(text);
  if (kvk.kind === "short") return "lost_zero";
  if (/^[0-9]{12}$/.test(compact)) return "branch_number";
  if (IBAN.test(compact)) return "iban";
  if (/^[0-9]{4}00[A-Z0-9]{12}[0-9]{2}$/.test(compact) || parseLei(compact) !== undefined) return "lei";
  const vat = parseVatNumber(text);
  if (/[0-9]{7}/.test(compact) && isVatNumber(vat) && !vat.check.isMalformed) return "foreign_vat_number";
  if (kvk.kind === "other" && kvk.why === "phone") return "phone_number";
  if (EMAIL_ADDRESS.test(text)) return "email_address";
  return WEBSITE.test(text) ? "website" : undefined;
}

/** Returns the hint about a page of results, if the first is empty or a zero was added. */
export function hintFor(
  q: string | undefined,
  results: readonly { readonly kvkNumber: string }[],
  page = 1,
): { hint?: Hint } {
  const mayHaveHint = page === 1 && (results[0]?.kvkNumber.startsWith("0") ?? true);
  if (q === undefined || !mayHaveHint) return {};
  const code = readRsin(q)?.code ?? codeOf(textOf(q).replace(LABEL, ""));
  return code && (results.length === 0 || code === "lost_zero")
    ? { hint: { code, message: HINTS[code] } }
    : {};
}
