/** Recognises a column of KVK numbers by its heading and by its values. */
import { KVK_NUMBER_HEADINGS, plainHeading } from "../../contract/headings.ts";
import { parseKvkNumberText } from "../../contract/kvkNumberText.ts";

const HEADINGS: ReadonlySet<string> = new Set(KVK_NUMBER_HEADINGS);
/** Headings of a column of KVK numbers: kvk, KVK-nummer, KvK nr., cocNumber, dossiernummer, handelsregisternummer. */
const KVK_NAME = /kvk|k\.v\.k|koophandel|(?:^|[^a-z])coc(?:[^a-z]|number|$)|chamber|handelsreg|dossier/i;
/** Headings of other columns with similar values, some of which mention KVK. */
const OTHER_NAME =
  /vestiging|branch|rsin|bsn|btw|vat|iban|bic|tele?f|tel\b|phone|mobi|fax|postc|zip|datum|date|bedrag|amount|naam|name|klant|debit|credit|factuur|invoice|order|artikel/i;

export function isKvkHeading(heading: string): boolean {
  if (HEADINGS.has(plainHeading(heading))) return true;
  return KVK_NAME.test(heading) && !isOtherHeading(heading) && !/\d{6}/.test(heading);
}

/** Whether a heading names something else, whatever the values below it. */
export function isOtherHeading(heading: string): boolean {
  return OTHER_NAME.test(heading);
}

/**
 * Returns shares of the filled cells: KVK numbers, with or without their first zero; KVK numbers with eight digits; and
 * possible dates among the latter.
 */
export function kvkShares(texts: readonly string[]) {
  const filled = texts.map(parseKvkNumberText).filter(({ kind }) => kind !== "empty");
  const whole = filled.flatMap((read) => (read.kind === "number" ? [read.number] : []));
  const short = filled.flatMap((read) => (read.kind === "short" ? [read.number] : []));
  const share = (count: number, total: number) => (total === 0 ? 0 : count / total);
  return {
    fitting: share(whole.length + short.length, filled.length),
    whole: share(whole.length, filled.length),
    dates: share(whole.filter(isDay).length, whole.length),
    distinct: new Set([...whole, ...short]).size,
  };
}

/** `20261231` or `31122026`. */
function isDay(digits: string): boolean {
  return (
    /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(digits) ||
    /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2}$/.test(digits)
  );
}
