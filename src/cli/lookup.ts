import type { KvkNumber } from "../contract/numbers.ts";
import { type AskingOptions, addAskingOptions, sourceOf } from "./asking/server.ts";
import { branchRow, recordLines, tableLines } from "./asking/show.ts";
import type { AddCommand } from "./command.ts";
import { JSON_OPTION, type JsonOption, kvkNumber } from "./options.ts";
import { print } from "./output.ts";

type Options = AskingOptions & JsonOption & { readonly enrich?: boolean };

/** `opzoek lookup`: one company by its KVK number, from a service or from the snapshot. */
export const addLookupCommand: AddCommand = (program, context) => {
  const command = program
    .command("lookup")
    .description("show one company, from a service or from the registry in DATA_DIR")
    .argument("<kvkNumber>", "eight digits", kvkNumber)
    .option("--enrich", "with all known data")
    .option(...JSON_OPTION);
  addAskingOptions(command).action(async (number: KvkNumber, options: Options) => {
    const source = await sourceOf(context, options);
    const company = await source.lookup(number, { enrich: options.enrich === true });
    print(context, options, company, () => recordLines(company, context.screen));
  });
};

/** `opzoek branches`: the branches of one company. */
export const addBranchesCommand: AddCommand = (program, context) => {
  const command = program
    .command("branches")
    .description("list the branches of a company, from a service or from the registry in DATA_DIR")
    .argument("<kvkNumber>", "eight digits", kvkNumber)
    .option(...JSON_OPTION);
  addAskingOptions(command).action(async (number: KvkNumber, options: AskingOptions & JsonOption) => {
    const list = await (await sourceOf(context, options)).branches(number);
    print(context, options, list, () => tableLines(list.branches.map(branchRow), context.screen));
    if (list.branches.length === 0 && !options.json) context.err(`${list.name} has no branches.`);
  });
};
