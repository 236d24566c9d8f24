/** Sends outcomes and errors of calls with the headers that every response to a key carries. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { ApiError, errorBody } from "../contract/errors.ts";
import type { Call } from "./call.ts";
import { COMMON, CROSS_ORIGIN, JSON_TYPE } from "./headers.ts";

type Headers = Readonly<Record<string, string | number>>;

/** A response whose charge is durable. */
export interface Response {
  readonly status: number;
  readonly headers?: Headers;
  readonly body: string | Readable;
  /**
   * The entity tag of the body. The client may store the body but must revalidate it each time, which is free while it
   * is unchanged.
   */
  readonly tag?: string | undefined;
  /** The client already has the body: 304. */
  readonly isUnchanged?: boolean;
  /** It is a stored response of an `Idempotency-Key`. */
  readonly isReplayed?: boolean;
}

/** The result of a call. */
export type Outcome = Response | ApiError;

export const REPLAYED = { "idempotency-replayed": "true" };
const REVALIDATED = "private, no-cache";
/** Headers of every response of the API. */
const ALWAYS = { ...COMMON, ...CROSS_ORIGIN };

/** Responses are sold to one account: neither proxies nor clients may store them. */
const NOT_STORED = "private, no-store";

/** Sends an outcome. Resolves when the last byte was sent, or the connection has ended. */
export async function send(reply: FastifyReply, outcome: Outcome): Promise<void> {
  if (outcome instanceof ApiError) {
    sendError(reply, outcome);
    return;
  }
  const { status, body, isUnchanged } = outcome;
  const headers = headersOf(reply, outcome);
  if (body instanceof Readable) {
    reply.code(status).headers(headers);
    if (reply.request.method === "HEAD") {
      body.destroy();
      reply.send();
    } else {
      await reply.send(body);
    }
    return;
  }
  // The framework would process each header again, a tenth of a call's time.
  reply.hijack();
  const all = { ...headers, "x-request-id": reply.request.id, ...ALWAYS };
  if (isUnchanged) reply.raw.writeHead(304, all).end();
  else reply.raw.writeHead(status, { ...all, "content-length": Buffer.byteLength(body) }).end(body);
}

function headersOf(
  { request: { call } }: FastifyReply,
  { headers, tag, isUnchanged, isReplayed }: Response,
): Headers {
  return {
    ...balanceHeaders(call),
    ...(tag !== undefined && { etag: tag, "cache-control": REVALIDATED }),
    ...(isReplayed && REPLAYED),
    ...(isUnchanged !== true && { "content-type": JSON_TYPE }),
    ...headers,
  };
}

/**
 * Returns the headers of every response to a valid key. The response must not be stored unless another header allows
 * it.
 */
export function balanceHeaders(call: Pick<Call, "balance" | "tokens"> | null | undefined): Headers {
  if (call?.balance === undefined) return {};
  const { balance, tokens = 0 } = call;
  return {
    "x-ratelimit-limit": balance.rateLimit,
    "x-ratelimit-remaining": balance.rateRemaining,
    "x-ratelimit-reset": balance.rateResetSeconds,
    "x-tokens-remaining": balance.tokensRemaining,
    "x-tokens-charged": tokens,
    "x-tokens-reset": balance.tokensResetSeconds,
    "cache-control": NOT_STORED,
  };
}

/** Sends an error in the common form. */
export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  // Absent for a request that could not be routed.
  const call = reply.request.call ?? undefined;
  if (call !== undefined) call.code = error.code;
  reply.headers(balanceHeaders(call));
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  if (error.allow !== undefined) reply.header("allow", error.allow);
  if (error.field !== undefined) reply.header("x-error-field", error.field);
  if (error.totalBytes !== undefined) reply.header("content-range", `bytes */${error.totalBytes}`);
  if (error.oldestCursor !== undefined) reply.header("x-oldest-cursor", error.oldestCursor);
  if (error.code === "UNAUTHORIZED") reply.header("www-authenticate", "Bearer");
  return reply
    .code(error.status)
    .header("content-type", JSON_TYPE)
    .send(JSON.stringify(errorBody(error.code, error.message)));
}
