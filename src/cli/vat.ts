import { checkVatNumber, type VatCheck } from "../vat/numbers/check.ts";
import { isVatNumber, parseVatNumber, type VatNumber } from "../vat/numbers/parse.ts";
import { type AddCommand, CommandFailure, WrongUse } from "./command.ts";

interface Options {
  readonly json?: boolean;
}

/** `opzoek vat`: what the rules alone say of a VAT number. Neither a server nor VIES is asked. */
export const addVatCommand: AddCommand = (program, context) => {
  program
    .command("vat")
    .description("check the form and checksum of a VAT number, without asking anybody")
    .argument("<vatNumber...>", "country code and number; spaces, dots, dashes and slashes do not matter")
    .option("--json", "print one JSON document")
    .action((words: readonly string[], { json }: Options) => {
      const number = parseVatNumber(words.join(""));
      if (!isVatNumber(number)) throw new WrongUse(number.message);
      const check = checkVatNumber(number);
      if (json) context.out(JSON.stringify({ ...number, ...check }));
      else for (const line of lines(number, check)) context.out(line);
      if (check.problem !== undefined) throw new CommandFailure(conclusion(check));
    });
};

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
