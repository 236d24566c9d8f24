import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { CallTool, McpAnswer, McpFacts, McpMessage } from "../http/mcp/protocol.ts";
import { mcpServer } from "./server.ts";

/** No host is asked at this address: the library wants a request, and requests have one. */
const NOWHERE = "http://mcp.invalid/mcp";

/** The library follows a message by recursion and is silent when that goes too deep; no tool takes anything nested. */
const MOST_DEPTH = 32;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;

/** Answers one message in the words of the protocol's revision that it is written in, without a session and without a stream. */
export async function answerMessage(
  { headers, body }: McpMessage,
  facts: McpFacts,
  callTool: CallTool,
): Promise<McpAnswer> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return protocolError(400, PARSE_ERROR, "the body must be valid JSON");
  }
  if (Array.isArray(parsed)) {
    return protocolError(400, INVALID_REQUEST, "send one message a request: there are no batches");
  }
  if (isDeeperThan(parsed, MOST_DEPTH)) {
    return protocolError(400, INVALID_REQUEST, `a message is nested ${MOST_DEPTH} levels deep at most`);
  }
  if (isListening(parsed)) {
    return protocolError(404, METHOD_NOT_FOUND, "nothing here changes while a host is connected", parsed.id);
  }
  // What the library demands of a client's headers is said for those that forget them: JSON is all that is ever answered.
  const request = new Request(NOWHERE, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body,
  });
  const response = (await isLegacyRequest(request, parsed))
    ? await answerLegacy(request, parsed, facts, callTool)
    : await createMcpHandler(() => mcpServer(facts, callTool), { legacy: "reject", keepAliveMs: 0 }).fetch(
        request,
        { parsedBody: parsed },
      );
  const text = await response.text();
  return { status: response.status, ...(text !== "" && { body: text }) };
}

/** By the revisions of 2025, which shake hands first: without a session each message stands for itself all the same. */
async function answerLegacy(
  request: Request,
  parsedBody: unknown,
  facts: McpFacts,
  callTool: CallTool,
): Promise<Response> {
  const server = mcpServer(facts, callTool);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

/** A stream of changes is asked for, which would stay open. */
function isListening(parsed: unknown): parsed is { readonly id?: unknown } {
  return (
    typeof parsed === "object" &&
    parsed !== null &&
    "method" in parsed &&
    parsed.method === "subscriptions/listen"
  );
}

function protocolError(status: number, code: number, message: string, id: unknown = null): McpAnswer {
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return { status, body: JSON.stringify({ jsonrpc: "2.0", id: known, error: { code, message } }) };
}
