/** The Model Context Protocol over HTTP, by its official library: one message in, one JSON answer out, without a session and without a stream. */
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { mayHoldSecret } from "../../contract/quoting.ts";
import type { CallTool, McpFacts, ToolOutcome } from "./tools.ts";

/** A message that was posted. */
export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer; the body is JSON, absent where a message needs none. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: string;
}

/** No host is asked at this address: the library wants a request, and requests have one. */
const NOWHERE = "http://mcp.invalid/mcp";

/** The library follows a message by recursion and is silent when that goes too deep; no tool takes anything nested. */
const MAX_DEPTH = 32;
/** The library reports each wrong item of a list: 20,000 of them would block the event loop for a tenth of a second. */
const MAX_VALUES = 500;
/** Some messages are never answered by the library. The work of a tool has its own bounds. */
const ANSWERED_WITHIN_MS = 10_000;
/** The library's own messages are shorter. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Arguments are read by the tools' own rules, so the library's validator, which takes a millisecond to make, is not. */
const NO_VALIDATOR = {
  getValidator: () => () => {
    throw new Error("nothing is validated here");
  },
};

/** Makes a server that lists the tools and calls them, for one host. */
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

/** The outcome of a tool as a result; an error is one that the model may read and act on. */
function resultOf(outcome: ToolOutcome): CallToolResult {
  const _meta = { ...outcome.meta };
  const isError = "error" in outcome;
  const text = isError ? JSON.stringify({ error: outcome.error }) : outcome.text;
  const content = [{ type: "text" as const, text }];
  return isError ? { content, isError, _meta } : { content, structuredContent: JSON.parse(text), _meta };
}

/**
 * Answers one message by the revision of the protocol that it is written in; a tool is called at most once.
 * @throws (the promise) when the message has no answer in time, or the tool fails
 */
export async function answerMessage(
  { headers, body }: McpMessage,
  facts: McpFacts,
  callTool: CallTool,
): Promise<McpAnswer> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return protocolError(400, ProtocolErrorCode.ParseError, "the body must be valid JSON");
  }
  if (Array.isArray(parsed)) {
    return protocolError(
      400,
      ProtocolErrorCode.InvalidRequest,
      "send one message a request: there are no batches",
    );
  }
  const tooLarge = sizeProblem(parsed);
  if (tooLarge !== undefined) return protocolError(400, ProtocolErrorCode.InvalidRequest, tooLarge);
  const { method, id }: { readonly method?: unknown; readonly id?: unknown } = Object(parsed);
  // A stream of changes would stay open.
  if (method === "subscriptions/listen") {
    return protocolError(
      404,
      ProtocolErrorCode.MethodNotFound,
      "nothing here changes while a host is connected",
      id,
    );
  }
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const timer = setTimeout(() => fail(new Error("a message had no answer in time")), ANSWERED_WITHIN_MS);
  const server = mcpServer(facts, (name, given) => {
    clearTimeout(timer);
    const outcome = callTool(name, given);
    // The library would repeat the error's own words.
    outcome.catch(fail);
    return outcome;
  });
  try {
    return withoutSecrets(await Promise.race([failed, answerByLibrary(server, headers, body, parsed)]));
  } finally {
    clearTimeout(timer);
  }
}

async function answerByLibrary(
  server: Server,
  headers: McpMessage["headers"],
  body: string,
  parsedBody: unknown,
): Promise<McpAnswer> {
  // The library demands headers that clients forget: JSON is all that is ever answered.
  const accept = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const request = new Request(NOWHERE, { method: "POST", headers: { ...headers, ...accept }, body });
  const response = (await isLegacyRequest(request, parsedBody))
    ? await answerLegacy(request, parsedBody, server)
    : await createMcpHandler(() => server, { legacy: "reject", keepAliveMs: 0 }).fetch(request, {
        parsedBody,
      });
  const text = await response.text();
  return { status: response.status, ...(text !== "" && { body: text }) };
}

/** By the revisions of 2025, which begin with a handshake: without a session each message stands for itself all the same. */
async function answerLegacy(request: Request, parsedBody: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** Describes what makes a message too deep or too long for the library; undefined for any other. */
function sizeProblem(message: unknown): string | undefined {
  let level: unknown[] = [message];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > MAX_DEPTH) return `a message is nested ${MAX_DEPTH} levels deep at most`;
    if (values > MAX_VALUES) return `a message has ${MAX_VALUES} values at most`;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return undefined;
}

function protocolError(status: number, code: number, message: string, id: unknown = null): McpAnswer {
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return { status, body: JSON.stringify({ jsonrpc: "2.0", id: known, error: { code, message } }) };
}

/** Removes what may be a secret from an error of the protocol: the library quotes headers and fields, where a key may have been pasted. */
function withoutSecrets(answer: McpAnswer): McpAnswer {
  // Within the result of a tool the quotes are escaped.
  if (answer.body?.includes('"error":') !== true) return answer;
  const { error, ...rest } = JSON.parse(answer.body) as { error?: { code: number; message: string } };
  if (error === undefined) return answer;
  if (error.message.length <= MAX_MESSAGE_LENGTH && !mayHoldSecret(error.message)) return answer;
  const message = "this message breaks a rule of the protocol; what was sent is not repeated here";
  return { ...answer, body: JSON.stringify({ ...rest, error: { code: error.code, message } }) };
}

/** Messages of both ways to speak the protocol. */
const FIRST_MESSAGES = ["2025-11-25", "2026-07-28"].flatMap((revision) => {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "opzoek", version: "" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return ["tools/list", "tools/call"].map((method) => ({
    headers: { "mcp-protocol-version": revision, "mcp-method": method, "mcp-name": "" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method, params: { name: "", _meta: envelope } }),
  }));
});

/** Has the library do before the first call what it does once, at its first messages: it takes longer than a call may wait. */
export async function warmUp(facts: McpFacts): Promise<void> {
  const callNothing = () => Promise.reject(new Error("no tool has an empty name"));
  for (const message of FIRST_MESSAGES) await answerMessage(message, facts, callNothing);
}
