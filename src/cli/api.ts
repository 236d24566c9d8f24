import type { Command } from "commander";
import { Opzoek } from "../../client/src/index.ts";
import { JOB_BOUNDS } from "../contract/jobs.ts";
import { quoted } from "../contract/quoting.ts";
import { type AddCommand, type CliContext, CommandFailure, UsageError } from "./command.ts";
import { writeLines } from "./output.ts";
import { readBytes } from "./sources/listInput.ts";
import { addServiceOptions, clientOf, type SourceOptions } from "./sources/server.ts";

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
const JSON_TYPE = "application/json";
/** `name=text` or `name:=JSON` */
const FIELD = /^([^:=]+)(:?=)(.*)$/s;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+-]+)*$/;
/** Only the path of a URL on this host is used. */
const NO_SERVICE = "http://service.invalid";

interface ApiOptions extends SourceOptions {
  readonly input?: string;
  readonly contentType: string;
}

type Method = (typeof METHODS)[number];
type Fields = Readonly<Record<string, unknown>>;

export const addApiCommand: AddCommand = (program, context) => {
  const command: Command = program
    .command("api")
    .description("call any endpoint of a service and print its response")
    .argument("<method>", METHODS.join(", "), methodIn)
    .argument("<path>", "path of the endpoint, such as /v1/usage, with or without a query", pathIn)
    .argument(
      "[fields...]",
      "name=text, or name:=JSON for other values: in the query of GET and DELETE, otherwise in a JSON body",
    )
    .option("--input <file>", "send this file as the body; - reads stdin")
    .option("--content-type <type>", "media type of --input", mediaType, JSON_TYPE);
  addServiceOptions(command).action((method: Method, path: string, words: string[], options: ApiOptions) =>
    call(method, path, words, options, context),
  );
};

async function call(
  method: Method,
  path: string,
  words: readonly string[],
  options: ApiOptions,
  context: CliContext,
): Promise<void> {
  const service = clientOf(context, options, (client) => new Opzoek(client));
  if (service === undefined) throw new UsageError("The call needs a service: set OPZOEK_URL or use --url.");
  const fields = fieldsIn(words);
  const hasFields = words.length > 0;
  const { input, contentType } = options;
  if (method === "GET" || method === "DELETE") {
    if (input !== undefined) throw new UsageError(`${method} has no body: leave out --input.`);
    return printResponse(
      await service.fetch(`${method} ${path}`, { query: queryOf(fields, method) }),
      context,
    );
  }
  if (input !== undefined && hasFields) throw new UsageError("Give either fields or --input, not both.");
  const body =
    input === undefined
      ? hasFields && fields
      : new Blob([await readBytes(input, context.input, JOB_BOUNDS.maxMatchBytes)]);
  return printResponse(
    await service.fetch(`${method} ${path}`, { contentType, ...(body && { body }) }),
    context,
  );
}

/** Prints JSON as it was sent; passes a stream on as it arrives. */
async function printResponse(response: Response, { out }: CliContext): Promise<void> {
  if (response.headers.get("content-type")?.startsWith(JSON_TYPE)) return out(await response.text());
  await writeLines(textOf(response), undefined, () => {});
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
  } catch {
    throw new CommandFailure("The connection broke, so the output is incomplete: try again.");
  }
}

/** @throws {UsageError} for a word without `=`, a repeated name, or invalid JSON */
function fieldsIn(words: readonly string[]): Fields {
  const fields = words.map((word): [string, unknown] => {
    const [, name, operator, text = ""] = FIELD.exec(word) ?? [];
    if (name === undefined)
      throw new UsageError(`A field must be name=text or name:=JSON; got ${quoted(word)}.`);
    return [name, operator === "=" ? text : jsonOf(name, text)];
  });
  const names = fields.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw new UsageError(`${quoted(repeated)} is given twice: give a list as name:=JSON.`);
  return Object.fromEntries(fields);
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `${quoted(name)} must be valid JSON after := (quote it for the shell), or text after =.`,
    );
  }
}

/** @throws {UsageError} for a list, an object or null */
function queryOf(fields: Fields, method: Method): Fields {
  const nested = Object.keys(fields).find((name) => typeof fields[name] === "object");
  if (nested === undefined) return fields;
  throw new UsageError(
    `${quoted(nested)} must be a text, a number, true or false: ${method} has only a query.`,
  );
}

function methodIn(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`The method must be one of ${METHODS.join(", ")}; got ${quoted(text)}.`);
}

/**
 * Returns the path as it is sent, without dots that lead out of it. The error does not contain it: it may be an address
 * with a password.
 */
function pathIn(text: string): string {
  const url = URL.canParse(text, NO_SERVICE) ? new URL(text, NO_SERVICE) : undefined;
  if (text.startsWith("/") && url?.origin === NO_SERVICE && !text.includes("#"))
    return url.pathname + url.search;
  throw new UsageError(
    "The path must begin with one slash, such as /v1/usage, and have no # (write %23). The address of the service is --url or OPZOEK_URL.",
  );
}

function mediaType(text: string): string {
  if (MEDIA_TYPE.test(text)) return text;
  throw new UsageError("--content-type must be a media type, such as text/csv.");
}
