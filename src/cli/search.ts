import { InvalidArgumentError, Option } from "commander";
import { isLegalForm, LEGAL_FORM_CODES, type LegalForm } from "../contract/legalForms.ts";
import { MAX_ROWS, type Total } from "../contract/totals.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { type AskingOptions, addAskingOptions, sourceOf } from "./asking/server.ts";
import { searchRow, tableLines } from "./asking/show.ts";
import { type AddCommand, WrongUse } from "./command.ts";
import { JSON_OPTION, type JsonOption, wholeNumber } from "./options.ts";
import { print } from "./output.ts";

const MAX_PAGE_SIZE = 100;
const MIN_LETTERS = 2;
const MAX_SUGGESTIONS = 20;

interface Options extends AskingOptions, JsonOption {
  readonly city?: string;
  readonly postalCode?: string;
  readonly legalForm?: LegalForm;
  readonly sbiCode?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
  readonly page: number;
  readonly pageSize: number;
  readonly fuzzy: boolean;
}

type AutocompleteOptions = AskingOptions & JsonOption & { readonly limit: number };

/** `opzoek search`: companies by name and other criteria, from a service or from the snapshot. */
export const addSearchCommand: AddCommand = (program, context) => {
  const command = program
    .command("search")
    .description("find companies, from a service or from the registry in DATA_DIR")
    .argument("[words...]", "words of a name, in any order, or the first digits of a KVK number")
    .option("--city <name>", "in this city")
    .option("--postal-code <start>", "with a postal code that starts with this")
    .option("--legal-form <code>", `with this legal form: ${LEGAL_FORM_CODES.join(", ")}`, legalForm)
    .option("--sbi-code <start>", "with an activity whose SBI code starts with this")
    .option("--active", "active companies only")
    .addOption(new Option("--inactive", "companies that ended only").conflicts("active"))
    .option("--page <number>", "page, from 1", wholeNumber(1, MAX_ROWS), 1)
    .option(
      "--page-size <number>",
      `results per page, ${MAX_PAGE_SIZE} at most`,
      wholeNumber(1, MAX_PAGE_SIZE),
      20,
    )
    .option("--no-fuzzy", "do not fall back to misspelled names")
    .option(...JSON_OPTION);
  addAskingOptions(command).action(async (words: readonly string[], options: Options) => {
    const criteria = criteriaOf(words.join(" ").trim(), options);
    const { page, pageSize } = criteria;
    const { value: found } = await (await sourceOf(context, options)).search(criteria).next();
    if (!found) throw new Error("a search returned no page");
    const { results, ...total } = found;
    print(context, options, { results, ...total, page, pageSize }, () =>
      tableLines(results.map(searchRow), context.screen),
    );
    if (options.json) return;
    const first = (page - 1) * pageSize + 1;
    context.err(
      results.length === 0
        ? `No results on page ${page}; ${inWords(total)} in all.`
        : `${first} to ${first + results.length - 1} of ${inWords(total)}`,
    );
  });
};

/** `opzoek autocomplete`: suggestions for the start of a name. */
export const addAutocompleteCommand: AddCommand = (program, context) => {
  const command = program
    .command("autocomplete")
    .description("suggest companies for the start of a name, from a service or from the registry in DATA_DIR")
    .argument("<words...>", "what was typed, at least two letters")
    .option(
      "--limit <number>",
      `number of suggestions, ${MAX_SUGGESTIONS} at most`,
      wholeNumber(1, MAX_SUGGESTIONS),
      8,
    )
    .option(...JSON_OPTION);
  addAskingOptions(command).action(async (words: readonly string[], options: AutocompleteOptions) => {
    const typed = words.join(" ");
    if (typed.trim().length < MIN_LETTERS) throw new WrongUse("Type two letters at least.");
    const { results } = await (await sourceOf(context, options)).autocomplete(typed, options);
    print(context, options, { results }, () =>
      tableLines(
        results.map(({ kvkNumber, name, city = "", matchedName }) => [
          ...[kvkNumber, name, city],
          matchedName === undefined ? "" : `as ${matchedName}`,
        ]),
        context.screen,
      ),
    );
    if (results.length === 0 && !options.json) context.err("Nothing is found.");
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
  const { city, postalCode, legalForm, sbiCode, active, inactive, fuzzy, page, pageSize } = options;
  if (page * pageSize > MAX_ROWS) {
    throw new WrongUse(`--page times --page-size must stay within ${MAX_ROWS}; narrow the search instead.`);
  }
  const wanted = {
    ...(q !== "" && { q }),
    ...(city !== undefined && { city }),
    ...(postalCode !== undefined && { postalCode }),
    ...(legalForm !== undefined && { legalForm }),
    ...(sbiCode !== undefined && { sbiCode }),
    ...((active || inactive) && { isActive: active === true }),
  };
  if (Object.keys(wanted).length === 0) {
    throw new WrongUse(
      'Say what to search for: words of a name, or options such as --city; see "opzoek search --help".',
    );
  }
  return { ...wanted, ...(!fuzzy && { fuzzy }), page, pageSize };
}
