import { type KvkNumber, lostZeroHint, parseKvkNumber, vatNumberOfRsin } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { withoutWriting } from "../contract/writtenKvkNumber.ts";
import { cachedCompany } from "../kvk/cache/companyCache.ts";
import type { LiveStore } from "../kvk/store.ts";
import type { SuppressedCompany } from "../lookup/suppression/store.ts";
import { withdrawAll } from "../metering/responses.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/places.ts";
import { isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";
import { type AddCommand, CommandFailure, type ServiceContext, WrongUse } from "./command.ts";
import { failing } from "./withSnapshot.ts";

interface Options {
  readonly vatNumber?: readonly string[];
}

/** `opzoek forget`: suppresses companies, whatever is imported. */
export const addForgetCommand: AddCommand<ServiceContext> = (program, context) => {
  const forget = program
    .command("forget")
    .description("stop storing and serving a company: put its number on the suppression list")
    .argument("<kvkNumber>", "eight digits")
    .option("--vat-number <numbers...>", "VAT numbers of the company, besides those that the registry knows")
    .action((text: string, options: Options) => put(numberOf(text), options, context));
  forget
    .command("list")
    .description("show the suppression list")
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const all = await context.withRegistryState(({ suppressed }) => suppressed.suppressedCompanies());
      if (json) return context.out(JSON.stringify(all));
      for (const { kvkNumber, forgottenAtMs } of all) {
        context.out(`${kvkNumber}  ${new Date(forgottenAtMs).toISOString()}`);
      }
    });
  forget
    .command("undo")
    .description("remove a number from the list; deleted data does not come back by itself")
    .argument("<kvkNumber>", "eight digits")
    .action(async (text: string) => {
      const kvkNumber = numberOf(text);
      const wasThere = await context.withRegistryState(({ suppressed }) => suppressed.undoForget(kvkNumber));
      if (!wasThere) throw new CommandFailure(`${kvkNumber} is not on the list; see "opzoek forget list".`);
      context.err(`${kvkNumber} is no longer suppressed.`);
    });
};

async function put(
  kvkNumber: KvkNumber,
  { vatNumber = [] }: Options,
  context: ServiceContext,
): Promise<void> {
  const given = vatNumber.map(vatNumberOf);
  await context.withRegistryState(async ({ live, suppressed, kept }) => {
    const known = [...inSnapshot(kvkNumber, context), ...(await inStore(kvkNumber, live))];
    const company: SuppressedCompany = {
      kvkNumber,
      vatNumbers: [...new Set([...given, ...known])].sort(),
      forgottenAtMs: Date.now(),
    };
    // Also numbers of an earlier call, which may have been interrupted.
    await withdrawAll(kept, [kvkNumber, ...(await suppressed.forget(company))]);
  });
  context.err(
    `${kvkNumber} is hidden by every service on this state within seconds, and its stored data is deleted.`,
  );
  context.err(
    'The files of the registry hold it until the next import or "opzoek registry rebuild". Renew backups and published registries yourself.',
  );
}

/** The VAT numbers that the snapshot knows of the company. */
function inSnapshot(kvkNumber: KvkNumber, context: ServiceContext): readonly string[] {
  const directory = registryDirectory(context.settings().DATA_DIR);
  const snapshot = failing(() => openCurrentSnapshot(directory));
  try {
    const facts = snapshot?.facts(kvkNumber)?.facts;
    return facts === undefined ? [] : vatNumbersOf(facts);
  } finally {
    snapshot?.close();
  }
}

/** Those that follow from what a live source told. */
async function inStore(kvkNumber: KvkNumber, store: LiveStore): Promise<readonly string[]> {
  const [kept] = await store.findCompanies([kvkNumber]);
  const facts = kept === null || kept === undefined ? undefined : cachedCompany(kept).facts;
  return facts === undefined ? [] : vatNumbersOf(facts);
}

function vatNumbersOf({ vatNumber, rsin }: { vatNumber?: string; rsin?: string }): string[] {
  return [vatNumber, rsin === undefined ? undefined : vatNumberOfRsin(rsin)].filter(
    (one) => one !== undefined,
  );
}

function numberOf(text: string): KvkNumber {
  const kvkNumber = parseKvkNumber(withoutWriting(text));
  if (kvkNumber !== undefined) return kvkNumber;
  throw new WrongUse(`A KVK number is exactly 8 digits; got ${quoted(text)}${lostZeroHint(text)}.`);
}

function vatNumberOf(text: string): string {
  const number = parseVatNumber(text);
  if (isVatNumber(number)) return number.vatNumber;
  throw new WrongUse(`--vat-number: ${number.message}`);
}
