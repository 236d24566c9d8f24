import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../contract/errors.ts";
import { POOLS } from "../../contract/pools.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { Places, type Taker } from "../../lib/places.ts";
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

/** A scheme and an authority, or what a browser says of a page whose origin is nobody's business. */
const ORIGIN = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/i;

/** At some 200 bytes each. */
const MAX_KNOWN_KEYS = 20_000;

type McpParts = Pick<AppParts, "services" | "version"> & { readonly calls: Calls };

/**
 * The Model Context Protocol over HTTP, without sessions: each message is posted and answered by itself, by any node. What a
 * tool does is a call of its endpoint, on the path of all calls, told to the host in the place of an HTTP answer. Every message
 * that is answered takes one slot of its key's rate: a tool call by its own charge request, any other by one that costs nothing. An
 * `Idempotency-Key` is of the message, so of its tool call: the same message again is told the same result for nothing.
 */
export function addMcp(app: FastifyInstance, parts: McpParts): void {
  const { calls } = parts;
  const facts = mcpFacts(parts.version);
  const free = freeTiers(parts.services.tiers);
  const places = new Places(POOLS.mcpMessages);
  // Whose a key is the store tells when a message is answered.
  const known = new LRUCache<string, Taker>({ max: MAX_KNOWN_KEYS });
  app.route({
    method: "POST",
    url: MCP_PATH,
    // Before the body is read, as for every call.
    onRequest: async (request, reply) => {
      // A key in a path ends up in logs of others: the protocol forbids it.
      if (bearerOf(request.headers.authorization) !== undefined) await calls.identify(request, "other");
      if (request.call === null) sendError(reply, calls.keylessRefusal(request, needsKey()));
    },
    handler: async (request, reply) => {
      const { call } = request;
      const refusal = refusalOf(request);
      if (call === null || refusal !== undefined)
        return calls.sendFailure(refusal ?? needsKey(), request, reply);
      const leave = places.take(known.get(call.keyId) ?? { account: call.keyId, isFree: true });
      if (leave === undefined) return calls.sendFailure(tooManyUnderWay(), request, reply);
      try {
        await answer(calls, facts, request, reply);
        if (call.balance !== undefined) {
          const { accountId: account, tierName } = call.balance;
          known.set(call.keyId, { account, isFree: free.includes(tierName) });
        }
      } finally {
        leave();
      }
    },
  });
  refuseOtherMethods(app, [{ path: MCP_PATH, method: "POST" }], refusing(calls));
  // The library prepares much at its first message, which no call may wait for.
  app.addHook("onReady", () => warmUp(facts));
}

async function answer(calls: Calls, facts: McpFacts, request: FastifyRequest, reply: FastifyReply) {
  let outcome: Outcome | undefined;
  const answered = await answerMessage(messageOf(request), facts, async (name, given) => {
    const tool = tools().get(name);
    if (tool === undefined) throw new Error("a tool was called that does not exist");
    outcome = await callTool(calls, tool, given, request);
    return toolOutcome(outcome, request);
  });
  const refusal = outcome === undefined ? await calls.admit(request) : undefined;
  // The key may have ended meanwhile.
  if (refusal !== undefined) sendError(reply, refusal);
  else if (request.call === null) sendError(reply, outcome instanceof ApiError ? outcome : needsKey());
  else sendAnswer(request, reply, answered, outcome);
}

/** What speaks against a message with a good key before it is read. */
function refusalOf({ headers, call }: FastifyRequest): ApiError | undefined {
  // Before a slot is taken of the key that a token was made with, and before anything of the message is read.
  if (call?.browser !== undefined || call?.token !== undefined) {
    return new ApiError(
      "FORBIDDEN",
      "what web pages are given, a key for browsers or a token, calls no tools: give the host a live or test key of the account",
    );
  }
  const { origin } = headers;
  if (origin !== undefined && !ORIGIN.test(origin)) {
    return new ApiError("FORBIDDEN", "the Origin header names no origin: send one as browsers do, or none");
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
  given: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
): Promise<Outcome> {
  if (request.call !== null) request.call.operation = endpoint.operation;
  return calls.answer({ endpoint, readInput: () => read(given), serialize, isConditional: false }, request);
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
  return new ApiError("UNAUTHORIZED", "a good API key is needed: send it as `Authorization: Bearer <key>`");
}

function tooManyUnderWay(): ApiError {
  return new ApiError(
    "SERVICE_UNAVAILABLE",
    "too many messages are being answered at once; nothing was done, try again",
    { retryAfterSeconds: 1 },
  );
}
