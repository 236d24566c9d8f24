import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallTool, McpFacts, ToolOutcome } from "../http/mcp/protocol.ts";

/** Arguments are read by the tools' own rules, so the library's validator, which takes a millisecond to make, is not. */
const NO_VALIDATOR = {
  getValidator: () => () => {
    throw new Error("nothing is validated here");
  },
};

/** What speaks to one host: it lists the tools and has them called. */
export function mcpServer(facts: McpFacts, callTool: CallTool): Server {
  const { name, version, instructions, tools } = facts;
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: NO_VALIDATOR },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    if (!tools.some((tool) => tool.name === params.name)) {
      const names = tools.map((tool) => tool.name).join(", ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no such tool; there are ${names}`);
    }
    return resultOf(await callTool(params.name, params.arguments ?? {}));
  });
  return server;
}

/** What a tool came to as a result; an error is one that the model may read and act on. */
function resultOf(outcome: ToolOutcome): CallToolResult {
  const _meta = { ...outcome.meta };
  if ("error" in outcome) {
    return { content: [textOf(JSON.stringify({ error: outcome.error }))], isError: true, _meta };
  }
  const structuredContent: Record<string, unknown> = JSON.parse(outcome.text);
  return { content: [textOf(outcome.text)], structuredContent, _meta };
}

function textOf(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}
