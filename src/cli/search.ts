import { isLegalForm, LEGAL_FORM_CODES } from "../contract/legalForms.ts";
import { quoted } from "../contract/quoting.ts";
import type { Total } from "../contract/totals.ts";
import { inOneGo } from "../lib/steps.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { answersOf } from "./asking/answersOf.ts";
import { type AskingOptions, addAskingOptions, serviceOf } from "./asking/server.ts";
import { searchRow, tableLines } from "./asking/show.ts";
import { type AddCommand, type AskingContext, WrongUse } from "./command.ts";
import { wholeNumber } from "./wholeNumber.ts";
import { withNames } from "./withSnapshot.ts";

/** No page reaches further than this many results, as over HTTP. */
const FURTHEST_RESULT = 1_000;
const MOST_PER_PAGE = 100;

interface Options extends AskingOptions {
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

/** `opzoek search`: companies by name and other criteria, of a service or straight from the snapshot. */
export const addSearchCommand: AddCommand<AskingContext> = (program, context) => {
  const command = program
    .command("search")
    .description("find companies, from a service or from the registry in DATA_DIR")
    .argument("[words...]", "words of a name, in any order, or the first digits of a KVK number")
    .option("--city <name>", "in this city")
    .option("--postal-code <start>", "with a postal code that starts with this")
    .option("--legal-form <code>", `with this legal form: ${LEGAL_FORM_CODES.join(", ")}`)
    .option("--sbi-code <start>", "with an activity whose SBI code starts with this")
    .option("--active", "active companies only")
    .option("--inactive", "companies that ended only")
    .option("--page <number>", "page, from 1", "1")
    .option("--page-size <number>", `results per page, ${MOST_PER_PAGE} at most`, "20")
    .option("--no-fuzzy", "do not fall back to misspelled names")
    .option("--explain", "explain the rank of each company; only for the registry in DATA_DIR")
    .option("--json", "print one JSON document");
  addAskingOptions(command).action(async (words: string[], options: Options) => {
    const criteria = readCriteria(words.join(" "), options);
    if (options.explain === true) return explain(context, criteria, options);
    const { results, ...counted } = await (await answersOf(context, options)).search(criteria);
    const { page, pageSize } = criteria;
    if (options.json) return context.out(JSON.stringify({ results, ...counted, page, pageSize }));
    for (const line of tableLines(results.map(searchRow), context.screen)) context.out(line);
    const first = (page - 1) * pageSize + 1;
    context.err(
      results.length === 0
        ? `No results on page ${page}; ${isUnknown(counted) ? "not all names could be looked through" : `${inWords(counted)} in all`}.`
        : `${first} to ${first + results.length - 1} of ${inWords(counted)}`,
    );
  });
};

/** The page with the reasons of each company; what is suppressed is left out. */
async function explain(context: AskingContext, criteria: SearchCriteria, options: Options): Promise<void> {
  if (serviceOf(context, options) !== undefined) {
    throw new WrongUse("--explain looks into a snapshot: add --local, on a machine that has one.");
  }
  const suppressed = await context.suppressed();
  const explained = await withNames(context, (registry) => inOneGo(registry.explained(criteria)));
  const allowed = explained.filter(({ item }) => !suppressed.has(item.kvkNumber));
  if (options.json === true) {
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

/** Whether nothing was found where not all was read. */
function isUnknown({ total, totalIsExact }: Total): boolean {
  return total === 0 && totalIsExact === false;
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
