/**
 * The Model Context Protocol over HTTP with its official library: one message in, one JSON response out, without
 * sessions or streams.
 */
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

/** A posted message. */
export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response. The body is JSON, absent when the message needs none. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: string;
}

/** The library requires a request with a URL. Nothing is sent to this one. */
const NOWHERE = "http://mcp.invalid/mcp";

/** The library recurses into messages and fails silently if they are too deep. Tools take at most objects in a list. */
const MAX_DEPTH = 32;
/**
 * The library reports each wrong item: 20,000 of them would block the event loop for a tenth of a second. A hundred
 * names with cities have 300.
 */
const MAX_VALUES = 500;
/** The library never answers some messages. The work of a tool has its own limits. */
const ANSWERED_WITHIN_MS = 10_000;
/** The library's own messages are shorter. */
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Tools validate their arguments themselves, so the library's validator, which takes a millisecond to create, is not
 * needed.
 */
const NO_VALIDATOR = {
  getValidator: () => () => {
    throw new Error("nothing is validated here");
  },
};

/** Returns a server that lists and calls the tools. */
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
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool; available tools: ${names}`);
    }
    return resultOf(await callTool(params.name, params.arguments ?? {}));
  });
  return server;
}

/** Converts the outcome of a tool to a result. A model may read an error and act on it. */
function resultOf(outcome: ToolOutcome): CallToolResult {
  const _meta = { ...outcome.meta };
  const isError = "error" in outcome;
  const text = isError ? JSON.stringify({ error: outcome.error }) : outcome.text;
  const content = [{ type: "text" as const, text }];
  return isError ? { content, isError, _meta } : { content, structuredContent: JSON.parse(text), _meta };
}

/**
 * Answers one message in its revision of the protocol. A tool is called at most once.
 * @throws (the promise) when the library does not answer in time, or the tool fails
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
      "send one message per request; batches are not supported",
    );
  }
  const tooLarge = sizeProblem(parsed);
  if (tooLarge !== undefined) return protocolError(400, ProtocolErrorCode.InvalidRequest, tooLarge);
  const { method, id }: { readonly method?: unknown; readonly id?: unknown } = Object(parsed);
  // Subscriptions would need an open stream.
  if (method === "subscriptions/listen") {
    return protocolError(
      404,
      ProtocolErrorCode.MethodNotFound,
      "the list of tools never changes, so there is nothing to subscribe to",
      id,
    );
  }
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => fail(new Error("the library did not answer a message in time")),
    ANSWERED_WITHIN_MS,
  );
  const server = mcpServer(facts, (name, args) => {
    clearTimeout(timer);
    const outcome = callTool(name, args);
    // The library would expose the error's message.
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
  // The library requires headers that clients forget. Responses are always JSON.
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

/**
 * Answers by the revisions of 2025, which begin with a handshake. Without a session each message still stands alone.
 */
async function answerLegacy(request: Request, parsedBody: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** Returns why a message is too deep or too long for the library; undefined if it is not. */
function sizeProblem(message: unknown): string | undefined {
  let level: unknown[] = [message];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > MAX_DEPTH) return `the message is nested too deeply: at most ${MAX_DEPTH} levels`;
    if (values > MAX_VALUES) return `the message has too many values: at most ${MAX_VALUES}`;
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

/**
 * Removes possible secrets from a protocol error: the library quotes headers and fields, which may contain a pasted
 * key.
 */
function withoutSecrets(answer: McpAnswer): McpAnswer {
  // Within the result of a tool the quotes are escaped.
  if (answer.body?.includes('"error":') !== true) return answer;
  const { error, ...rest } = JSON.parse(answer.body) as { error?: { code: number; message: string } };
  if (error === undefined) return answer;
  if (error.message.length <= MAX_MESSAGE_LENGTH && !mayHoldSecret(error.message)) return answer;
  const message = "this message violates the protocol; its content may be secret and is not shown";
  return { ...answer, body: JSON.stringify({ ...rest, error: { code: error.code, message } }) };
}

/** Messages in both revisions of the protocol. */
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

/**
 * Runs the library's one-time work at the first messages before any call, because it takes longer than a call may wait.
 */
export async function warmUp(facts: McpFacts): Promise<void> {
  const callNothing = () => Promise.reject(new Error("no tool has an empty name"));
  for (const message of FIRST_MESSAGES) await answerMessage(message, facts, callNothing);
}
