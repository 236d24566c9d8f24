import { type AskingOptions, addAskingOptions, sourceOf } from "./asking/server.ts";
import { tableLines } from "./asking/show.ts";
import { type AddCommand, WrongUse } from "./command.ts";
import { JSON_OPTION, type JsonOption, wholeNumber } from "./options.ts";
import { print } from "./output.ts";

const MIN_LETTERS = 2;
const MAX_SUGGESTIONS = 20;

type Options = AskingOptions & JsonOption & { readonly limit: number };

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
  addAskingOptions(command).action(async (words: readonly string[], options: Options) => {
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
