import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { mcpServer } from "./answering.ts";
import type { CallTool, McpFacts } from "./tools.ts";

/** Serves the protocol over stdin and stdout, in the revision that the host begins with, until stdin ends. */
export async function serveOverPipes(facts: McpFacts, callTool: CallTool): Promise<void> {
  const transport = new StdioServerTransport();
  const ended = Promise.withResolvers<void>();
  process.stdin.once("end", () => ended.resolve());
  process.stdin.once("close", () => ended.resolve());
  const handle = serveStdio(() => mcpServer(facts, callTool), { transport });
  await ended.promise;
  await handle.close();
}
