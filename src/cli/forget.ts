import { cleanLists } from "../app/cleanLists.ts";
import { withState } from "../app/compose/state.ts";
import type { StateStore } from "../app/state/stateStore.ts";
import { type KvkNumber, vatNumberOfRsin } from "../contract/numbers.ts";
import { cachedCompany } from "../kvk/cache/companyCache.ts";
import { withdrawAllResponses } from "../metering/queries/storedResponses.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/paths.ts";
import { isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";
import { type AddCommand, type CliContext, CommandFailure, UsageError } from "./command.ts";
import { kvkNumber } from "./options.ts";
import { addPrinting } from "./output.ts";
import { withProgress } from "./progress.ts";

export const addForgetCommand: AddCommand = (program, context) => {
  const forget = program
    .command("forget")
    .description("stop storing and serving a company: put its number on the suppression list")
    .argument("<kvkNumber>", "eight digits", kvkNumber)
    .option(
      "--vat-number <numbers...>",
      "VAT numbers of the company, in addition to those in the registry",
      (text, before: readonly string[] = []) => [...before, vatNumberOf(text)],
    )
    .action((number: KvkNumber, { vatNumber = [] }: { readonly vatNumber?: readonly string[] }) =>
      suppress(number, vatNumber, context),
    );
  const list = forget.command("list").description("show the suppression list");
  addPrinting(list, context, async () => {
    const all = await withState(context.settings(), ({ suppressed }) => suppressed.suppressedCompanies());
    const lineOf = ({ kvkNumber, forgottenAtMs }: (typeof all)[number]) =>
      `${kvkNumber}  ${new Date(forgottenAtMs).toISOString()}`;
    return { document: all, lines: () => all.map(lineOf) };
  });
  forget
    .command("undo")
    .description("remove a number from the list; deleted data is not restored")
    .argument("<kvkNumber>", "eight digits", kvkNumber)
    .action(async (number: KvkNumber) => {
      const wasListed = await withState(context.settings(), ({ suppressed }) =>
        suppressed.undoForget(number),
      );
      if (!wasListed) throw new CommandFailure(`${number} is not on the list: see "opzoek forget list".`);
      context.err(`${number} is no longer suppressed.`);
    });
};

async function suppress(
  kvkNumber: KvkNumber,
  givenNumbers: readonly string[],
  context: CliContext,
): Promise<void> {
  await withState(context.settings(), async (state) => {
    const known = await vatNumbersOf(kvkNumber, context, state);
    const vatNumbers = [...new Set([...givenNumbers, ...known])].sort();
    const company = { kvkNumber, vatNumbers, forgottenAtMs: Date.now() };
    // Includes the numbers of an earlier call, which may have been interrupted.
    await withdrawAllResponses(state.responses, [kvkNumber, ...(await state.suppressed.forget(company))]);
  });
  await withProgress(context, ({ say }) =>
    withState(context.settings(), (state) =>
      cleanLists(state, (steps) => say(() => `results of lists: step ${steps.toLocaleString("en")}`)),
    ),
  );
  context.err(`Its stored data is deleted. Every service on this state hides ${kvkNumber} within seconds.`);
  context.err(
    'The registry files contain it until the next import or "opzoek registry rebuild". Renew backups and published registries yourself.',
  );
}

/** The VAT numbers of a company that follow from the snapshot and from cached answers of a live source. */
async function vatNumbersOf(
  kvkNumber: KvkNumber,
  context: CliContext,
  { live }: StateStore,
): Promise<readonly string[]> {
  const snapshot = openCurrentSnapshot(registryDirectory(context.settings().DATA_DIR));
  const fromRegistry = snapshot?.facts(kvkNumber)?.facts;
  snapshot?.close();
  const [stored] = await live.findCompanies([kvkNumber]);
  const cached = stored ? cachedCompany(stored).facts : undefined;
  return [fromRegistry, cached].flatMap((facts) => [
    ...(facts?.vatNumber === undefined ? [] : [facts.vatNumber]),
    ...(facts?.rsin === undefined ? [] : [vatNumberOfRsin(facts.rsin)]),
  ]);
}

/** Not commander's own error, which would repeat the number. */
function vatNumberOf(text: string): string {
  const number = parseVatNumber(text);
  if (isVatNumber(number)) return number.vatNumber;
  throw new UsageError(`--vat-number: ${number.message}`);
}
