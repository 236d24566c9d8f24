/** The source that a file without a name of its own continues: monthly files differ in their date only. */
import type { OriginInfo } from "../registry/info.ts";

const YEAR = "(?:19|20)\\d\\d";
const MONTH = "(?:0[1-9]|1[0-2])";
const DAY = "(?:0[1-9]|[12]\\d|3[01])";
const LONG =
  "januari|january|februari|february|maart|march|april|mei|may|jun[ie]|jul[iy]|august(?:us)?|september|oktober|october|november|december";
const NAME = `(?:${LONG}|jan|feb|mrt|mar|apr|jun|jul|aug|sept?|o[kc]t|nov|dec)`;
const PERIOD = "(?:(?:week|wk|w)[-_.]?\\d\\d?|(?:kwartaal|kw|q|k)[-_.]?[1-4])";
const TIME = "(?:[-_.t]?[0-2]\\d[-_.]?[0-5]\\d(?:[-_.]?[0-5]\\d)?)?";
const DATES = [
  `${YEAR}[-_.]?${MONTH}(?:[-_.]?${DAY}${TIME})?`,
  `${YEAR}[-_.]?(?:${NAME}|${PERIOD})`,
  `(?:(?:${DAY}[-_.]?)?${MONTH}|(?:\\d\\d?[-_.]?)?(?<![a-z])${NAME}|(?<![a-z])${PERIOD})[-_.]?${YEAR}`,
  `(?<![a-z])(?:${LONG})`,
  YEAR,
];
// Input: at most 64 letters.
const DATE = new RegExp(`(?<!\\d)(?:${DATES.join("|")})(?![a-z0-9])`, "g");
const COUNTER = /(?:(?<![a-z])(?:deel|part|versie|version|v|nr)[-_.]?)?(?<!\d)\d{1,4}(?![a-z0-9])/g;

/**
 * The source of a file, by the name that it would get by itself and the sources that exist.
 * @returns also what to say about it
 */
export function continuedSource(
  own: string,
  earlier: readonly Pick<OriginInfo, "origin" | "asOf">[],
): { readonly origin: string; readonly notice?: string } {
  const sources = earlier.filter(({ origin }) => origin.startsWith("import:"));
  if (sources.some(({ origin }) => origin === own)) return { origin: own };
  const newest = (form: (name: string) => string) =>
    sources.filter(({ origin }) => form(origin) === form(own)).sort((a, b) => (a.asOf < b.asOf ? 1 : -1))[0]
      ?.origin;
  const same = newest(withoutDate);
  const other = same ?? newest((name) => without(COUNTER, withoutDate(name)));
  if (other === undefined) return { origin: own };
  const notice =
    same === undefined
      ? `${own} differs from ${other} only in a number: it becomes another source, whose data is not compared with it. Use --name to continue ${other}.`
      : `${own} differs from ${same} only in a date: its data continues ${same}. Use --name for another source.`;
  return { origin: same ?? own, notice };
}

const withoutDate = (name: string) => without(DATE, name);

function without(part: RegExp, name: string): string {
  return name
    .replace(part, "")
    .replace(/[-_.:]+/g, "-")
    .replace(/-$/, "");
}
