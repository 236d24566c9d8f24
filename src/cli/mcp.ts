import { type AnswerInfo, type CallOptions, Opzoek, OpzoekError } from "../../client/src/index.ts";
import type { ToolOutcome } from "../http/mcp/tools.ts";
import { type AddCommand, UsageError } from "./command.ts";
import { addServiceOptions, clientOf, type SourceOptions } from "./sources/server.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** The call of each tool; the service checks the arguments. */
const TOOLS: Readonly<
  Record<string, (service: Opzoek, args: Arguments, options: CallOptions) => Promise<object>>
> = {
  lookup_company: (service, { kvkNumber, ...args }, options) =>
    service.lookup(String(kvkNumber), { ...args, ...options }),
  search_companies: async (service, args, options) => {
    const { value } = await service.search(args, options).next();
    return value ?? {};
  },
  list_branches: (service, { kvkNumber, ...args }, options) =>
    service.branches(String(kvkNumber), { ...args, ...options }),
  validate_vat_number: (service, { vatNumber, ...args }, options) =>
    service.vat(String(vatNumber), { ...args, ...options }),
  show_usage: (service, _given, options) => service.usage(options),
};

export const addMcpCommand: AddCommand = (program, context) => {
  const command = program
    .command("mcp")
    .description("run a Model Context Protocol server over stdin and stdout, for language models");
  addServiceOptions(command).action(async (options: SourceOptions) => {
    const service = clientOf(context, options, (client) => new Opzoek(client));
    if (service === undefined) {
      throw new UsageError("The tools need a service: set OPZOEK_URL and OPZOEK_KEY.");
    }
    await context.serveMcp((name, args) => callTool(service, name, args));
  });
};

async function callTool(service: Opzoek, name: string, args: Arguments): Promise<ToolOutcome> {
  const tool = TOOLS[name];
  if (tool === undefined) throw new Error("an unknown tool was called");
  let info: AnswerInfo | undefined;
  const onAnswer = (received: AnswerInfo) => {
    info = received;
  };
  // Models write null for arguments they omit.
  const known = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  try {
    return { text: JSON.stringify(await tool(service, known, { onAnswer })), meta: metaOf(info) };
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
