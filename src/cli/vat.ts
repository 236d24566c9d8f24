import type { Opzoek } from "../../client/src/index.ts";
import type { VatCheck } from "../vat/numbers/check.ts";
import { isVatNumber, parseVatNumber, type VatNumber } from "../vat/numbers/parse.ts";
import { asking } from "./asking/failures.ts";
import { type AskingOptions, addAskingOptions, serviceOf } from "./asking/server.ts";
import { fieldLines, verdict } from "./asking/show.ts";
import { type AddCommand, type AskingContext, CommandFailure, WrongUse } from "./command.ts";

interface Options extends AskingOptions {
  readonly maxAge?: string;
  readonly json?: boolean;
}

/** `opzoek vat`: what VIES says of a VAT number by a service; without one what the rules alone say. */
export const addVatCommand: AddCommand<AskingContext> = (program, context) => {
  const command = program
    .command("vat")
    .description(
      "validate VAT numbers with VIES through a service; without a service, check form and checksum only; exit code 1 when one is not valid or not known",
    )
    .argument("<vatNumber...>", "country code and number; case and separators do not matter")
    .option("--max-age <seconds>", "maximum age of the answer of VIES, with a service; 0 asks VIES now")
    .option("--json", "print one JSON document");
  addAskingOptions(command).action(async (words: readonly string[], options: Options) => {
    const number = parseVatNumber(words.join(""));
    if (!isVatNumber(number)) throw new WrongUse(number.message);
    const service = serviceOf(context, options);
    if (service !== undefined) return validate(service, number, context, options);
    if (options.maxAge !== undefined) {
      throw new WrongUse(
        "--max-age is for a service, which asks VIES: set OPZOEK_URL, or name one with --url.",
      );
    }
    const { check, ...form } = number;
    if (options.json) context.out(JSON.stringify({ ...form, ...check }));
    else for (const line of lines(number, check)) context.out(line);
    if (check.problem !== undefined) throw new CommandFailure(conclusion(check));
    if (context.stderrIsTerminal) {
      context.err("VIES was not asked: a service does that, named by OPZOEK_URL or --url.");
    }
  });
};

/** What VIES says. Only a valid number ends the command with 0. */
async function validate(
  service: Opzoek,
  { vatNumber }: VatNumber,
  { out, screen }: AskingContext,
  { maxAge, json }: Options,
): Promise<void> {
  const age = maxAge === undefined ? {} : { maxAge: seconds(maxAge) };
  const told = await asking(() => service.vat(vatNumber, age));
  const valid = told.status !== "malformed" && told.valid;
  if (json) out(JSON.stringify(told));
  else {
    const rows = Object.entries(told)
      .filter(([name]) => name !== "valid")
      .map(([name, value]): [string, string] => [name, String(value)]);
    out(verdict(valid ? "valid" : "not valid", valid, screen));
    for (const line of fieldLines(rows, screen)) out(line);
  }
  if (!valid) throw new CommandFailure(NOT_VALID[told.status]);
}

const NOT_VALID = {
  validated: "VIES says that the number is not valid.",
  stale: "VIES said earlier that the number is not valid, and has no word of now.",
  malformed: "The number is malformed: no such VAT number is issued. Ask for the right one.",
} as const;

function seconds(text: string): number {
  if (/^[0-9]{1,8}$/.test(text)) return Number(text);
  throw new WrongUse("--max-age must be a whole number of seconds.");
}

function lines({ vatNumber }: VatNumber, { wellFormed, checksumValid, problem }: VatCheck): string[] {
  const shown = [
    `vatNumber      ${vatNumber}`,
    `wellFormed     ${wellFormed ? "yes" : "no"}`,
    `checksumValid  ${checksumValid ? "yes" : "no"}`,
  ];
  if (problem === undefined) return shown;
  // Under the character at fault, of which `position` does not count the two letters of the country.
  const marks =
    problem.position === undefined ? [] : [`${" ".repeat("vatNumber      ".length + problem.position + 1)}^`];
  return [
    ...shown.slice(0, 1),
    ...marks,
    ...shown.slice(1),
    `rule           ${problem.rule}`,
    `problem        ${problem.message}`,
  ];
}

/** What follows from a broken rule; the number itself stays out of what goes to stderr, which is often kept. */
function conclusion({ isMalformed }: VatCheck): string {
  return isMalformed
    ? "The number is malformed: no such VAT number is issued. Ask for the right one."
    : "The number breaks a rule that alone refuses no number of this state: only VIES can say.";
}
