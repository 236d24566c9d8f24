import { type AnswerInfo, Opzoek, OpzoekError } from "../../client/src/index.ts";
import { programVersion } from "../app/release.ts";
import { ApiError } from "../contract/errors.ts";
import type { Tool, ToolOutcome } from "../http/mcp/tools.ts";
import { type AddCommand, UsageError } from "./command.ts";
import { addServiceOptions, clientOf, type SourceOptions } from "./sources/server.ts";

type Arguments = Readonly<Record<string, unknown>>;

export const addMcpCommand: AddCommand = (program, context) => {
  const command = program
    .command("mcp")
    .description("run a Model Context Protocol server over stdin and stdout, for language models");
  addServiceOptions(command).action(async (options: SourceOptions) => {
    const service = clientOf(context, options, (client) => new Opzoek(client));
    if (service === undefined) {
      throw new UsageError("The tools need a service: set OPZOEK_URL and OPZOEK_KEY.");
    }
    const { mcpFacts, tools } = await import("../http/mcp/tools.ts");
    const { serveOverPipes } = await import("../http/mcp/pipes.ts");
    await serveOverPipes(mcpFacts(programVersion()), async (name, args) => {
      const tool = tools().get(name);
      if (tool === undefined) throw new Error("an unknown tool was called");
      return callTool(service, tool, args);
    });
  });
};

/** Calls a tool's endpoint. Its arguments are checked here, because an older service would ignore unknown ones. */
async function callTool(service: Opzoek, { endpoint, read }: Tool, args: Arguments): Promise<ToolOutcome> {
  const { method, path, schema } = endpoint;
  let info: AnswerInfo | undefined;
  const onAnswer = (received: AnswerInfo) => {
    info = received;
  };
  // An older service may not know an omitted parameter.
  const given = (part: Arguments) =>
    Object.fromEntries(Object.entries(part).filter(([name]) => Object.hasOwn(args, name)));
  try {
    const { params, query, body } = read(args);
    const response = await service.fetch(`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`, {
      path: given(params),
      query: given(query),
      ...(schema.body && { body: given(body) }),
      onAnswer,
    });
    return { text: await response.text(), meta: metaOf(info) };
  } catch (error) {
    if (error instanceof ApiError) return { error: { code: error.code, message: error.message }, meta: {} };
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
