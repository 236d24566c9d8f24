import { lostZeroHint, parseKvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { withoutWriting } from "../contract/writtenKvkNumber.ts";
import { answersOf } from "./asking/answersOf.ts";
import { type AskingOptions, addAskingOptions } from "./asking/server.ts";
import { branchRow, companyLines, tableLines } from "./asking/show.ts";
import { type AddCommand, type AskingContext, WrongUse } from "./command.ts";

interface Options extends AskingOptions {
  readonly enrich?: boolean;
  readonly branches?: boolean;
  readonly json?: boolean;
}

/** `opzoek lookup`: one company by its KVK number, of a service or straight from the snapshot. */
export const addLookupCommand: AddCommand<AskingContext> = (program, context) => {
  const command = program
    .command("lookup")
    .description("show one company, from a service or from the registry in DATA_DIR")
    .argument("<kvkNumber>", "eight digits")
    .option("--enrich", "with all known data")
    .option("--branches", "with its branches")
    .option("--json", "print one JSON document");
  addAskingOptions(command).action(async (text: string, options: Options) => {
    const kvkNumber = readKvkNumber(text);
    const answers = await answersOf(context, options);
    const company = await answers.lookup(kvkNumber, options.enrich === true);
    const branches = options.branches ? (await answers.branches(kvkNumber)).branches : undefined;
    if (options.json) return context.out(JSON.stringify({ ...company, ...(branches && { branches }) }));
    for (const line of companyLines(company, branches ?? [], context.screen)) context.out(line);
  });
};

/** `opzoek branches`: the branches of one company. */
export const addBranchesCommand: AddCommand<AskingContext> = (program, context) => {
  const command = program
    .command("branches")
    .description("list the branches of a company, from a service or from the registry in DATA_DIR")
    .argument("<kvkNumber>", "eight digits")
    .option("--json", "print one JSON document");
  addAskingOptions(command).action(async (text: string, options: Options) => {
    const answers = await answersOf(context, options);
    const { branches, ...company } = await answers.branches(readKvkNumber(text));
    if (options.json) return context.out(JSON.stringify({ ...company, branches }));
    for (const line of tableLines(branches.map(branchRow), context.screen)) context.out(line);
    if (branches.length === 0) context.err(`${company.name} has no branches.`);
  });
};

/** @throws {WrongUse} for what is no KVK number */
function readKvkNumber(text: string): string {
  const kvkNumber = parseKvkNumber(withoutWriting(text));
  if (kvkNumber !== undefined) return kvkNumber;
  throw new WrongUse(`A KVK number is exactly 8 digits; got ${quoted(text)}${lostZeroHint(text)}.`);
}
