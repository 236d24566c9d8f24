import { isLegalForm, LEGAL_FORM_CODES } from "../contract/legalForms.ts";
import { quoted } from "../contract/quoting.ts";
import type { SearchItem } from "../contract/resources.ts";
import type { Total } from "../contract/totals.ts";
import { inOneGo } from "../lib/steps.ts";
import { CompanyFinder } from "../lookup/finding.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { type AddCommand, type CliContext, WrongUse } from "./command.ts";
import { withNames } from "./withSnapshot.ts";

/** No page reaches further than this many results, as over HTTP. */
const FURTHEST_RESULT = 1_000;
const MOST_PER_PAGE = 100;

interface Options {
  readonly city?: string;
  readonly postalCode?: string;
  readonly legalForm?: string;
  readonly sbiCode?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
  readonly page: string;
  readonly pageSize: string;
  readonly fuzzy: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** `opzoek search`: companies by name and other criteria, straight from the snapshot. */
export const addSearchCommand: AddCommand = (program, context) => {
  program
    .command("search")
    .description("find companies of the registry, straight from the snapshot")
    .argument("[words...]", "words of a name, in any order, or the first digits of a KVK number")
    .option("--city <name>", "in this city")
    .option("--postal-code <start>", "with a postal code that starts so")
    .option("--legal-form <code>", `with this legal form: ${LEGAL_FORM_CODES.join(", ")}`)
    .option("--sbi-code <start>", "with an activity whose SBI code starts so")
    .option("--active", "active companies only")
    .option("--inactive", "companies that ended only")
    .option("--page <number>", "which page, from 1", "1")
    .option("--page-size <number>", `results on a page, ${MOST_PER_PAGE} at most`, "20")
    .option("--no-fuzzy", "no names that are a slip or two away, where no other fits")
    .option("--explain", "say of each company why it stands where it does")
    .option("--json", "print one JSON document")
    .action(async (words: string[], options: Options) => {
      const criteria = readCriteria(words.join(" "), options);
      const suppressed = await context.suppressed();
      if (options.explain === true) return explain(context, criteria, suppressed, options.json === true);
      const { results, ...counted } = await withNames(context, (registry) => {
        const finder = new CompanyFinder({ registry: { current: registry }, suppressed });
        return inOneGo(finder.searchHere(registry, criteria).steps);
      });
      const { page, pageSize } = criteria;
      if (options.json) return context.out(JSON.stringify({ results, ...counted, page, pageSize }));
      for (const line of table(results)) context.out(line);
      const first = (page - 1) * pageSize + 1;
      context.err(
        results.length === 0
          ? `No results on page ${page}; ${inWords(counted)} in all.`
          : `${first} to ${first + results.length - 1} of ${inWords(counted)}`,
      );
    });
};

/** The page with the reasons of each company; what is suppressed is left out. */
async function explain(
  context: CliContext,
  criteria: SearchCriteria,
  suppressed: ReadonlySet<string>,
  asJson: boolean,
): Promise<void> {
  const explained = await withNames(context, (registry) => inOneGo(registry.explained(criteria)));
  const allowed = explained.filter(({ item }) => !suppressed.has(item.kvkNumber));
  if (asJson) {
    context.out(JSON.stringify({ results: allowed }));
    return;
  }
  const first = (criteria.page - 1) * criteria.pageSize + 1;
  for (const [nth, { item, reasons }] of allowed.entries()) {
    context.out(`${first + nth}. ${item.kvkNumber}  ${item.name}`);
    for (const reason of reasons) context.out(`   ${reason}`);
  }
  if (allowed.length === 0) context.err(`No results on page ${criteria.page}.`);
}

function inWords({ total, totalIsExact }: Total): string {
  return `${totalIsExact === false ? "more than " : ""}${total.toLocaleString("en")}`;
}

function readCriteria(q: string, options: Options): SearchCriteria {
  const { city, postalCode, legalForm, sbiCode, active, inactive } = options;
  if (active && inactive)
    throw new WrongUse("--active and --inactive exclude each other; leave both out for all.");
  const form = legalForm?.toUpperCase();
  if (form !== undefined && !isLegalForm(form)) {
    throw new WrongUse(`--legal-form must be one of ${LEGAL_FORM_CODES.join(", ")}; got ${quoted(form)}.`);
  }
  const page = wholeNumber("--page", options.page, FURTHEST_RESULT);
  const pageSize = wholeNumber("--page-size", options.pageSize, MOST_PER_PAGE);
  if (page * pageSize > FURTHEST_RESULT) {
    throw new WrongUse(
      `--page times --page-size must stay within ${FURTHEST_RESULT}; narrow the search instead.`,
    );
  }
  const criteria: SearchCriteria = {
    ...(q.trim() === "" ? {} : { q }),
    ...(city === undefined ? {} : { city }),
    ...(postalCode === undefined ? {} : { postalCode }),
    ...(form === undefined ? {} : { legalForm: form }),
    ...(sbiCode === undefined ? {} : { sbiCode }),
    ...(active ? { isActive: true } : inactive ? { isActive: false } : {}),
    ...(options.fuzzy ? {} : { fuzzy: false }),
    page,
    pageSize,
  };
  if (Object.keys(criteria).length === (options.fuzzy ? 2 : 3)) {
    throw new WrongUse(
      'Say what to search for: words of a name, or options such as --city; see "opzoek search --help".',
    );
  }
  return criteria;
}

function wholeNumber(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < 1 || value > most) {
    throw new WrongUse(`${option} must be a whole number from 1 to ${most}; got ${quoted(text)}.`);
  }
  return value;
}

function table(results: readonly SearchItem[]): string[] {
  const rows = results.map(({ kvkNumber, name, legalForm, postalCode, city, isActive, isFuzzy }) => [
    kvkNumber,
    `${name}${isActive ? "" : " (ended)"}${isFuzzy === true ? " (a slip away)" : ""}`,
    legalForm ?? "",
    postalCode ?? "",
    city ?? "",
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
