import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type ClientOptions, Opzoek, OpzoekError } from "../../../client/src/index.ts";
import { isSecretUrl, SECRET_URL_RULE } from "../../lib/secretUrl.ts";
import type { SearchCriteria } from "../../search/criteria.ts";
import { type CliContext, CommandFailure, WrongUse } from "../command.ts";
import type { Answers, BatchAnswers, BranchesOf, SearchPage, SomeCompany } from "./answers.ts";
import { asFailure, asking } from "./failures.ts";

/** Which service is asked, or none. */
export interface AskingOptions {
  readonly url?: string;
  readonly keyFile?: string;
  readonly local?: boolean;
}

/** The options of every command that asks a service. A key is no option: lists of processes show those to everybody. */
export function addServiceOptions(command: Command): Command {
  return command
    .option(
      "--url <address>",
      "call the service at this address, with the key in OPZOEK_KEY (default: OPZOEK_URL)",
    )
    .option("--key-file <file>", "read the key from this file");
}

/** The options of every command that can ask a service or the snapshot. */
export function addAskingOptions(command: Command): Command {
  return addServiceOptions(command).option(
    "--local",
    "read the registry in DATA_DIR even if OPZOEK_URL is set",
  );
}

/** The service that is to be asked; undefined when it is the snapshot. @throws {WrongUse} for an address or a key that cannot be used */
export function serviceOf(context: CliContext, options: AskingOptions): Opzoek | undefined {
  return askedBy(context, options, (client) => new Opzoek(client));
}

/** The client of the service that is to be asked, as `make` makes it; undefined when it is the snapshot. @throws {WrongUse} as {@link serviceOf} */
export function askedBy<Client>(
  context: CliContext,
  options: AskingOptions,
  make: (client: ClientOptions) => Client,
): Client | undefined {
  const { OPZOEK_URL, OPZOEK_KEY } = context.settings();
  if (options.local === true) {
    if (options.url !== undefined) throw new WrongUse("--url and --local exclude each other; leave one out.");
    return undefined;
  }
  if (options.url !== undefined && !isSecretUrl(options.url)) throw new WrongUse(`--url ${SECRET_URL_RULE}.`);
  const baseUrl = options.url ?? OPZOEK_URL;
  if (baseUrl === undefined) return undefined;
  const key = options.keyFile === undefined ? OPZOEK_KEY : keyIn(options.keyFile);
  if (key === undefined) {
    throw new WrongUse(
      "A service wants a key: set OPZOEK_KEY, or name a file that holds it with --key-file.",
    );
  }
  try {
    return make({ baseUrl, key });
  } catch (error) {
    // Its messages name neither the address nor the key.
    throw error instanceof TypeError ? new WrongUse(`${error.message}.`) : error;
  }
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new CommandFailure(`${file} cannot be read (${code}): name a file with a key in it.`);
  }
}

/** What a service answers. */
export function serviceAnswers(service: Opzoek): Answers {
  return {
    lookup: (kvkNumber, enrich): Promise<SomeCompany> => asking(() => service.lookup(kvkNumber, { enrich })),
    branches: (kvkNumber): Promise<BranchesOf> => asking(() => service.branches(kvkNumber)),
    search: (criteria: SearchCriteria): Promise<SearchPage> =>
      asking(async () => {
        const page = (await service.search(criteria).next()).value;
        if (page === undefined) throw new Error("a search gave no page");
        return page;
      }),
    autocomplete: (typed, limit) =>
      asking(async () => (await service.autocomplete(typed, { limit })).results),
    async batch(numbers, enrich, onProgress): Promise<BatchAnswers> {
      try {
        return await service.batch(numbers, { enrich, onProgress: ({ done }) => onProgress(done) });
      } catch (error) {
        const failure = asFailure(error);
        const partial = error instanceof OpzoekError ? error.partial : undefined;
        if (partial === undefined || !(failure instanceof Error) || partial.tokensUsed === 0) throw failure;
        const { remaining, ...told } = partial;
        return { ...told, stopped: { reason: failure.message, remaining } };
      }
    },
  };
}
