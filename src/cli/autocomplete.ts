import { answersOf } from "./asking/answersOf.ts";
import { type AskingOptions, addAskingOptions } from "./asking/server.ts";
import { tableLines } from "./asking/show.ts";
import { type AddCommand, type AskingContext, WrongUse } from "./command.ts";
import { wholeNumber } from "./wholeNumber.ts";

const LEAST_LETTERS = 2;
const MOST_SHOWN = 20;

interface Options extends AskingOptions {
  readonly limit: string;
  readonly json?: boolean;
}

/** `opzoek autocomplete`: what a person would be offered who has typed so far. */
export const addAutocompleteCommand: AddCommand<AskingContext> = (program, context) => {
  const command = program
    .command("autocomplete")
    .description("suggest companies for the start of a name, from a service or from the registry in DATA_DIR")
    .argument("<words...>", "what was typed, of two letters on")
    .option("--limit <number>", `number of suggestions, ${MOST_SHOWN} at most`, "8")
    .option("--json", "print one JSON document");
  addAskingOptions(command).action(async (words: readonly string[], options: Options) => {
    const typed = words.join(" ");
    if (typed.trim().length < LEAST_LETTERS) throw new WrongUse("Type two letters at least.");
    const limit = wholeNumber("--limit", options.limit, MOST_SHOWN);
    const results = await (await answersOf(context, options)).autocomplete(typed, limit);
    if (options.json) return context.out(JSON.stringify({ results }));
    const rows = results.map(({ kvkNumber, name, city, matchedName }) => [
      kvkNumber,
      name,
      city ?? "",
      matchedName === undefined ? "" : `as ${matchedName}`,
    ]);
    for (const line of tableLines(rows, context.screen)) context.out(line);
    if (results.length === 0) context.err("Nothing is found.");
  });
};
