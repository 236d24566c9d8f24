import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, forbidden, retryLater } from "../../contract/errors.ts";
import { POOLS } from "../../contract/pools.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { boundedCache } from "../../lib/boundedCache.ts";
import { type SlotOwner, SlotPool } from "../../lib/slotPool.ts";
import { bearerOf, type Calls } from "../calls.ts";
import { JSON_TYPE } from "../headers.ts";
import { textOfJson } from "../input/read.ts";
import { refuseOtherMethods } from "../otherMethods.ts";
import type { AppParts } from "../parts.ts";
import { refusing } from "../routes.ts";
import { balanceHeaders, type Outcome, REPLAYED, sendError } from "../sending.ts";
import { answerMessage, type McpAnswer, type McpMessage, warmUp } from "./answering.ts";
import { type McpFacts, mcpFacts, type Tool, type ToolOutcome, tools } from "./tools.ts";

export const MCP_PATH = "/mcp";

/** Headers of a message that the protocol reads. */
const READ_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"] as const;

/** A scheme and an authority, or `null` for an opaque origin. */
const ORIGIN = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/i;

/** About 200 bytes each. */
const MAX_KNOWN_KEYS = 20_000;

type McpParts = Pick<AppParts, "services" | "version"> & { readonly calls: Calls };

/**
 * Adds the Model Context Protocol over HTTP, without sessions: any node can answer any message. A tool calls its
 * endpoint on the path of all calls. Every answered message counts once towards its key's rate limit: a tool call with
 * its own charge, other messages free. An `Idempotency-Key` applies to the message and so to its tool call: a repeated
 * message gets the stored result free of charge.
 */
export function addMcp(app: FastifyInstance, parts: McpParts): void {
  const { calls } = parts;
  const facts = mcpFacts(parts.version);
  const free = freeTiers(parts.services.tiers);
  const slots = new SlotPool(POOLS.mcpMessages);
  // The account of each key, known after its first message.
  const known = boundedCache<string, SlotOwner>(MAX_KNOWN_KEYS);
  app.route({
    method: "POST",
    url: MCP_PATH,
    // Before the body is read, as for every call.
    onRequest: async (request, reply) => {
      // The protocol forbids keys in URLs, which other systems log.
      if (bearerOf(request.headers.authorization) !== undefined) await calls.identify(request, "other");
      if (request.call === null) sendError(reply, calls.keylessRefusal(request, needsKey()));
    },
    handler: async (request, reply) => {
      const { call } = request;
      const refusal = refusalOf(request);
      if (call === null || refusal !== undefined)
        return calls.sendFailure(refusal ?? needsKey(), request, reply);
      const release = slots.acquire(known.get(call.keyId) ?? { account: call.keyId, isFree: true });
      if (release === undefined) return calls.sendFailure(tooManyInProgress(), request, reply);
      try {
        await answer(calls, facts, request, reply);
        if (call.balance !== undefined) {
          const { accountId: account, tierName } = call.balance;
          known.set(call.keyId, { account, isFree: free.includes(tierName) });
        }
      } finally {
        release();
      }
    },
  });
  refuseOtherMethods(app, [{ path: MCP_PATH, method: "POST" }], refusing(calls));
  // The library's first message takes long, so it must not be a caller's.
  app.addHook("onReady", () => warmUp(facts));
}

async function answer(calls: Calls, facts: McpFacts, request: FastifyRequest, reply: FastifyReply) {
  let outcome: Outcome | undefined;
  const answered = await answerMessage(messageOf(request), facts, async (name, args) => {
    const tool = tools().get(name);
    if (tool === undefined) throw new Error("no such tool");
    outcome = await callTool(calls, tool, args, request);
    return toolOutcome(outcome, request);
  });
  const refusal = outcome === undefined ? await calls.admit(request) : undefined;
  // The key may have ended in the meantime.
  if (refusal !== undefined) sendError(reply, refusal);
  else if (request.call === null) sendError(reply, outcome instanceof ApiError ? outcome : needsKey());
  else sendAnswer(request, reply, answered, outcome);
}

/** Returns why a message with a valid key is refused before it is read. */
function refusalOf({ headers, call }: FastifyRequest): ApiError | undefined {
  // Before the message is read or the token's key is charged.
  if (call?.browser !== undefined || call?.token !== undefined) {
    return forbidden("browser keys and tokens cannot call tools: configure a live or test key");
  }
  const { origin } = headers;
  if (origin !== undefined && !ORIGIN.test(origin)) {
    return forbidden("the Origin header is not an origin: send one as browsers do, or omit it");
  }
  return undefined;
}

function messageOf({ headers, body }: FastifyRequest): McpMessage {
  const read = READ_HEADERS.map((name) => [name, headers[name]]);
  return {
    headers: Object.fromEntries(read.filter(([, value]) => typeof value === "string")),
    body: textOfJson(headers["content-type"], body),
  };
}

/** Calls a tool's endpoint with the key of a message. */
function callTool(
  calls: Calls,
  { endpoint, read, serialize }: Tool,
  args: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
): Promise<Outcome> {
  if (request.call !== null) request.call.operation = endpoint.operation;
  return calls.answer({ endpoint, readInput: () => read(args), serialize, isConditional: false }, request);
}

function toolOutcome(outcome: Outcome, { id, call }: FastifyRequest): ToolOutcome {
  const meta = {
    "opzoek/requestId": id,
    "opzoek/tokensCharged": call?.tokens ?? 0,
    ...(call?.balance && { "opzoek/tokensRemaining": call.balance.tokensRemaining }),
  };
  if (!(outcome instanceof ApiError)) return { text: String(outcome.body), meta };
  if (call !== null) call.code = outcome.code;
  const { code, message, retryAfterSeconds } = outcome;
  return { error: { code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }, meta };
}

function sendAnswer(
  { call }: FastifyRequest,
  reply: FastifyReply,
  { status, body }: McpAnswer,
  outcome: Outcome | undefined,
): void {
  reply.headers(balanceHeaders(call));
  if (outcome !== undefined && !(outcome instanceof ApiError) && outcome.isReplayed) reply.headers(REPLAYED);
  reply.code(status);
  if (body === undefined) reply.send();
  else reply.header("content-type", JSON_TYPE).send(body);
}

function needsKey(): ApiError {
  return new ApiError(
    "UNAUTHORIZED",
    "a valid API key is required: send it as `Authorization: Bearer <key>`",
  );
}

function tooManyInProgress(): ApiError {
  return retryLater(
    "SERVICE_UNAVAILABLE",
    1,
    "too many messages at once; this one was not processed, try again",
  );
}
