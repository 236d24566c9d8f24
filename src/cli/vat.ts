import { Opzoek } from "../../client/src/index.ts";
import { type CheckedVatNumber, isVatNumber, parseVatNumber, type VatNumber } from "../vat/numbers/parse.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";
import { wholeNumber } from "./options.ts";
import { addPrinting, type Result } from "./output.ts";
import { addSourceOptions, clientOf, type SourceOptions } from "./sources/server.ts";
import { fieldLines, recordLines, styled } from "./sources/show.ts";

type Options = SourceOptions & { readonly maxAge?: number };

const MALFORMED = "The number is malformed and cannot be a VAT number. Ask for the right one.";

export const addVatCommand: AddCommand = (program, context) => {
  const command = program
    .command("vat")
    .description(
      "validate a VAT number with VIES through a service; without a service, check only format and checksum; exit code 1 if it is not valid or not known",
    )
    .argument("<vatNumber...>", "country code and number; case and separators do not matter")
    .option(
      "--max-age <seconds>",
      "maximum age of VIES's answer in seconds, with a service; 0 asks VIES now",
      wholeNumber(0, 99_999_999),
    );
  addPrinting(addSourceOptions(command), context, (words: readonly string[], options: Options) => {
    const number = parseVatNumber(words.join(""));
    if (!isVatNumber(number)) throw new UsageError(number.message);
    const service = clientOf(context, options, (client) => new Opzoek(client));
    if (service !== undefined) return validate(service, number, context, options);
    if (options.maxAge === undefined) return checkForm(number, context);
    throw new UsageError("--max-age needs a service: set OPZOEK_URL or use --url.");
  });
};

/** Only a valid number ends the command with exit code 0. */
async function validate(
  service: Opzoek,
  { vatNumber }: VatNumber,
  { screen }: CliContext,
  { maxAge }: Options,
): Promise<Result> {
  const answer = await service.vat(vatNumber, { maxAge });
  const isValid = answer.status !== "malformed" && answer.valid;
  const verdict = isValid ? styled("green", "valid", screen) : styled("red", "not valid", screen);
  return {
    document: answer,
    lines: () => [verdict, ...recordLines(answer, screen)],
    failure: isValid ? undefined : NOT_VALID[answer.status],
  };
}

const NOT_VALID = {
  validated: "VIES says that the number is not valid.",
  stale: "According to an earlier answer of VIES the number is not valid; VIES does not answer now.",
  malformed: MALFORMED,
} as const;

function checkForm({ check, ...number }: CheckedVatNumber, context: CliContext): Result {
  const { wellFormed, checksumValid, problem, isMalformed } = check;
  const rows: [string, string][] = [["vatNumber", number.vatNumber]];
  // Marks the character at fault; `position` does not count the two letters of the country.
  if (problem?.position !== undefined) rows.push(["", `${" ".repeat(problem.position + 1)}^`]);
  rows.push(["wellFormed", wellFormed ? "yes" : "no"], ["checksumValid", checksumValid ? "yes" : "no"]);
  if (problem !== undefined) rows.push(["rule", problem.rule], ["problem", problem.message]);
  const breaksRule =
    problem &&
    "The number breaks a checksum rule, which is not conclusive for this country: only VIES can confirm it.";
  if (problem === undefined && !isMalformed && context.stderrIsTerminal) {
    context.err("VIES was not asked: that needs a service (OPZOEK_URL or --url).");
  }
  return {
    document: { ...number, ...check },
    lines: () => fieldLines(rows, context.screen),
    // The number is not repeated on stderr, which is often logged.
    failure: isMalformed ? MALFORMED : breaksRule,
  };
}
