import { InvalidArgumentError, Option } from "commander";
import { SBI_VERSIONS } from "../contract/activities.ts";
import { isLegalForm, LEGAL_FORM_CODES, type LegalForm } from "../contract/legalForms.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { MAX_ROWS, type Total } from "../contract/totals.ts";
import { present } from "../lib/values.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { type AddCommand, UsageError } from "./command.ts";
import { kvkNumber, wholeNumber } from "./options.ts";
import { addAnswering } from "./sources/server.ts";
import { branchRow, recordLines, searchRow, tableLines } from "./sources/show.ts";

const MAX_PAGE_SIZE = 100;
const MIN_LETTERS = 2;
const MAX_SUGGESTIONS = 20;

interface Options extends Omit<SearchCriteria, "q" | "isActive"> {
  readonly active?: boolean;
  readonly inactive?: boolean;
  readonly fuzzy: boolean;
}

export const addSearchCommand: AddCommand = (program, context) => {
  const command = program
    .command("search")
    .description("search companies, in a service or in the registry in DATA_DIR")
    .argument("[words...]", "words of a name, in any order, or the first digits of a KVK number")
    .option("--city <name>", "in this city")
    .option("--postal-code <start>", "with a postal code that starts with this")
    .option("--legal-form <code>", `with this legal form: ${LEGAL_FORM_CODES.join(", ")}`, legalForm)
    .option("--sbi-code <start>", "with an activity whose SBI code starts with this")
    .addOption(new Option("--sbi-version <version>", "with that code in this version").choices(SBI_VERSIONS))
    .option("--active", "active companies only")
    .addOption(new Option("--inactive", "ended companies only").conflicts("active"))
    .option("--page <number>", "page, from 1", wholeNumber(1, MAX_ROWS), 1)
    .option(
      "--page-size <number>",
      `results per page, at most ${MAX_PAGE_SIZE}`,
      wholeNumber(1, MAX_PAGE_SIZE),
      20,
    )
    .option("--no-fuzzy", "do not fall back to misspelled names");
  addAnswering(command, context, async (source, words: readonly string[], options: Options) => {
    const criteria = criteriaOf(words.join(" ").trim(), options);
    const { page, pageSize } = criteria;
    const { value: found } = await source.search(criteria).next();
    if (!found) throw new Error("a search returned no page");
    const { results, ...total } = found;
    const first = (page - 1) * pageSize + 1;
    return {
      document: { results, ...total, page, pageSize },
      lines: () => tableLines(results.map(searchRow), context.screen),
      hints: [
        results.length === 0
          ? noResults(page, inWords(total), total.total === 0)
          : `${first} to ${first + results.length - 1} of ${inWords(total)}`,
      ],
    };
  });
};

export const addAutocompleteCommand: AddCommand = (program, context) => {
  const command = program
    .command("autocomplete")
    .description("suggest companies for the start of a name, from a service or from the registry in DATA_DIR")
    .argument("<words...>", "the typed text, at least two letters")
    .option(
      "--limit <number>",
      `number of suggestions, at most ${MAX_SUGGESTIONS}`,
      wholeNumber(1, MAX_SUGGESTIONS),
      8,
    );
  addAnswering(command, context, async (source, words: readonly string[], options: { limit: number }) => {
    const typed = words.join(" ");
    if (typed.trim().length < MIN_LETTERS) throw new UsageError("Type at least two letters.");
    const { results } = await source.autocomplete(typed, options);
    const rows = results.map(({ kvkNumber, name, city = "", matchedName }) => [
      ...[kvkNumber, name, city],
      matchedName === undefined ? "" : `as ${matchedName}`,
    ]);
    return {
      document: { results },
      lines: () => tableLines(rows, context.screen),
      hints: results.length === 0 ? ["No results."] : [],
    };
  });
};

export const addLookupCommand: AddCommand = (program, context) => {
  const command = program
    .command("lookup")
    .description("show one company, from a service or from the registry in DATA_DIR")
    .argument("<kvkNumber>", "eight digits", kvkNumber)
    .option("--enrich", "return all known data");
  addAnswering(
    command,
    context,
    async (source, number: KvkNumber, { enrich = false }: { enrich?: boolean }) => {
      const document = await source.lookup(number, { enrich });
      return { document, lines: () => recordLines(document, context.screen) };
    },
  );
};

export const addBranchesCommand: AddCommand = (program, context) => {
  const command = program
    .command("branches")
    .description("list the branches of a company, from a service or from the registry in DATA_DIR")
    .argument("<kvkNumber>", "eight digits", kvkNumber);
  addAnswering(command, context, async (source, number: KvkNumber) => {
    const document = await source.branches(number);
    const { name, branches } = document;
    return {
      document,
      lines: () => tableLines(branches.map(branchRow), context.screen),
      hints: branches.length === 0 ? [`${name} has no branches.`] : [],
    };
  });
};

function inWords({ total, totalIsExact }: Total): string {
  return `${totalIsExact === false ? "more than " : ""}${total.toLocaleString("en")}`;
}

function legalForm(text: string): LegalForm {
  const code = text.toUpperCase();
  if (isLegalForm(code)) return code;
  throw new InvalidArgumentError(`Allowed choices are ${LEGAL_FORM_CODES.join(", ")}.`);
}

function criteriaOf(q: string, options: Options): SearchCriteria {
  const { city, postalCode, legalForm, sbiCode, sbiVersion, active, inactive, fuzzy, page, pageSize } =
    options;
  if (page * pageSize > MAX_ROWS) {
    throw new UsageError(`--page times --page-size must be at most ${MAX_ROWS}: narrow the search instead.`);
  }
  if (sbiVersion !== undefined && sbiCode === undefined) {
    throw new UsageError("--sbi-version needs --sbi-code, the code that it is the version of.");
  }
  const isActive = active || inactive ? active === true : undefined;
  const searched = present<Partial<SearchCriteria>>({
    ...{ q: q || undefined, isActive },
    ...{ city, postalCode, legalForm, sbiCode, sbiVersion },
  });
  if (Object.keys(searched).length === 0) {
    throw new UsageError(
      'Nothing to search for: give words of a name, or options such as --city. See "opzoek search --help".',
    );
  }
  return { ...searched, ...(!fuzzy && { fuzzy }), page, pageSize };
}

/** The hint for an empty page. */
function noResults(page: number, total: string, isEmpty: boolean): string {
  return isEmpty ? "No results." : `No results on page ${page}; ${total} in total.`;
}
