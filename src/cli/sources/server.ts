import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { type ClientOptions, Opzoek } from "../../../client/src/index.ts";
import { isSecretUrl, SECRET_URL_RULE } from "../../lib/secretUrl.ts";
import { type CliContext, UsageError } from "../command.ts";
import { addPrinting, type Result, unreadable } from "../output.ts";
import type { CommandSource } from "./source.ts";

/** The service to call, or none. */
export interface SourceOptions {
  readonly url?: string;
  readonly keyFile?: string;
  readonly local?: boolean;
}

/** The options of every command that calls a service. */
export function addServiceOptions(command: Command): Command {
  return command
    .option(
      "--url <address>",
      "call the service at this address, with the key in OPZOEK_KEY (default: OPZOEK_URL)",
      serviceAddress,
    )
    .option("--key-file <file>", "read the key from this file");
}

/** The options of every command that can call a service or read the snapshot. */
export function addSourceOptions(command: Command): Command {
  return addServiceOptions(command).addOption(
    new Option("--local", "read the registry in DATA_DIR even if OPZOEK_URL is set").conflicts("url"),
  );
}

/** Completes a command that reads a service or the snapshot and prints the result. */
export function addAnswering<Given extends unknown[]>(
  command: Command,
  context: CliContext,
  ask: (source: CommandSource, ...args: Given) => Promise<Result>,
): void {
  addPrinting(addSourceOptions(command), context, async (...args: Given) =>
    ask(await sourceOf(context, command.opts()), ...args),
  );
}

/** The service to call, otherwise the snapshot, which is loaded only then. @throws {UsageError} as {@link clientOf} */
async function sourceOf(context: CliContext, options: SourceOptions): Promise<CommandSource> {
  const service = clientOf(context, options, (client) => new Opzoek(client));
  return service ?? (await import("./local.ts")).localSource(context);
}

/**
 * The client of the service to call; undefined for the snapshot.
 * @throws {UsageError} for an unusable address or key
 */
export function clientOf<Client>(
  context: CliContext,
  { url, keyFile, local }: SourceOptions,
  make: (options: ClientOptions) => Client,
): Client | undefined {
  const { OPZOEK_URL, OPZOEK_KEY } = context.settings();
  const baseUrl = local === true ? undefined : (url ?? OPZOEK_URL);
  if (baseUrl === undefined) return undefined;
  const key = keyFile === undefined ? OPZOEK_KEY : keyIn(keyFile);
  if (key === undefined) {
    throw new UsageError(
      "The service needs a key: set OPZOEK_KEY, or use --key-file with a file that contains it.",
    );
  }
  try {
    return make({ baseUrl, key });
  } catch (error) {
    // Its messages contain neither the address nor the key.
    throw error instanceof TypeError ? new UsageError(`${error.message}.`) : error;
  }
}

/** The error does not contain the address, which may have a password. */
function serviceAddress(text: string): string {
  if (isSecretUrl(text)) return text;
  throw new UsageError(`--url ${SECRET_URL_RULE}.`);
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw unreadable(file, error, "give the name of a file with a key.");
  }
}
