import {
  type AnswerInfo,
  type CallOptions,
  type MatchQuery,
  Opzoek,
  OpzoekError,
} from "../../client/src/index.ts";
import { Monitors } from "../../client/src/monitors/index.ts";
import { programVersion } from "../app/release.ts";
import type { ToolOutcome } from "../http/mcp/tools.ts";
import { isJsonObject } from "../lib/values.ts";
import { type AddCommand, UsageError } from "./command.ts";
import { addServiceOptions, clientOf, type SourceOptions } from "./sources/server.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** The clients of a service. */
interface Clients {
  readonly opzoek: Opzoek;
  readonly monitors: Monitors;
}

/** The call of each tool; the service checks the arguments. */
const TOOLS: Readonly<
  Record<string, (clients: Clients, args: Arguments, options: CallOptions) => Promise<object>>
> = {
  lookup_company: ({ opzoek }, { kvkNumber, ...args }, options) =>
    opzoek.lookup(String(kvkNumber), { ...args, ...options }),
  search_companies: async ({ opzoek }, args, options) => {
    const { value } = await opzoek.search(args, options).next();
    return value ?? {};
  },
  match_companies: ({ opzoek }, { queries, ...args }, options) =>
    opzoek.match(listOf<MatchQuery>(queries), { ...args, ...options }),
  list_branches: ({ opzoek }, { kvkNumber, ...args }, options) =>
    opzoek.branches(String(kvkNumber), { ...args, ...options }),
  validate_vat_number: ({ opzoek }, { vatNumber, ...args }, options) =>
    opzoek.vat(String(vatNumber), { ...args, ...options }),
  add_monitors: ({ monitors }, { kvkNumbers, ...args }, options) =>
    monitors.add(listOf<string>(kvkNumbers), { ...args, ...options }),
  list_monitors: ({ monitors }, args, options) => monitors.listPage({ ...args, ...options }),
  list_changes: ({ monitors }, args, options) => monitors.changesPage({ ...args, ...options }),
  show_usage: ({ opzoek }, _given, options) => opzoek.usage(options),
};

/** Returns an argument that is a list, without null fields of its objects. The service checks its items. */
function listOf<Item>(argument: unknown): readonly Item[] {
  return Array.isArray(argument)
    ? argument.map((item) => (isJsonObject(item) ? withoutNulls(item) : item))
    : [];
}

/** Models write null for fields that they omit. */
function withoutNulls(object: Arguments): Arguments {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

export const addMcpCommand: AddCommand = (program, context) => {
  const command = program
    .command("mcp")
    .description("run a Model Context Protocol server over stdin and stdout, for language models");
  addServiceOptions(command).action(async (options: SourceOptions) => {
    const service = clientOf(context, options, (client) => ({
      opzoek: new Opzoek(client),
      monitors: new Monitors(client),
    }));
    if (service === undefined) {
      throw new UsageError("The tools need a service: set OPZOEK_URL and OPZOEK_KEY.");
    }
    const { knowingArguments, mcpFacts } = await import("../http/mcp/tools.ts");
    const { serveOverPipes } = await import("../http/mcp/pipes.ts");
    await serveOverPipes(
      mcpFacts(programVersion()),
      knowingArguments((name, args) => callTool(service, name, args)),
    );
  });
};

async function callTool(service: Clients, name: string, args: Arguments): Promise<ToolOutcome> {
  const tool = TOOLS[name];
  if (tool === undefined) throw new Error("an unknown tool was called");
  let info: AnswerInfo | undefined;
  const onAnswer = (received: AnswerInfo) => {
    info = received;
  };
  try {
    const document = await tool(service, withoutNulls(args), { onAnswer });
    return { text: JSON.stringify(document), meta: metaOf(info) };
  } catch (error) {
    if (!(error instanceof OpzoekError)) throw error;
    const { code, message, retryAfterSeconds } = error;
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return { error: { code, message, ...wait }, meta: metaOf(info) };
  }
}

function metaOf(info: AnswerInfo | undefined): ToolOutcome["meta"] {
  const { requestId, tokens } = info ?? {};
  return {
    ...(requestId !== undefined && { "opzoek/requestId": requestId }),
    ...(tokens && { "opzoek/tokensCharged": tokens.charged, "opzoek/tokensRemaining": tokens.remaining }),
  };
}
