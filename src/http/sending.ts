/** Sends the outcome of a call with the headers that every response to a key carries. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { ApiError } from "../contract/errors.ts";
import { JSON_TYPE, sendError } from "./errors.ts";
import { balanceHeaders, COMMON, CROSS_ORIGIN } from "./headers.ts";

/** A response whose charge is durable. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body: string | Readable;
  /** The entity tag of the body: the client may hold it, and must ask each time, which costs nothing while it is the same. */
  readonly tag?: string | undefined;
  /** The client holds the body already: 304. */
  readonly isUnchanged?: boolean;
  /** It was stored under an `Idempotency-Key`. */
  readonly isReplayed?: boolean;
}

/** The result of a call. */
export type Outcome = Response | ApiError;

export const REPLAYED = { "idempotency-replayed": "true" };
const REVALIDATED = "private, no-cache";
/** Of every response of the API. */
const ALWAYS = { ...COMMON, ...CROSS_ORIGIN };

/** Sends an outcome. Resolves when the last byte has left, or the connection has ended. */
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
  // The framework would look at each header again, which takes as long as a tenth of a call.
  reply.hijack();
  if (isUnchanged) {
    reply.raw.writeHead(304, { ...headers, "x-request-id": reply.request.id, ...ALWAYS }).end();
    return;
  }
  reply.raw
    .writeHead(status, {
      ...headers,
      "content-length": Buffer.byteLength(body),
      "x-request-id": reply.request.id,
      ...ALWAYS,
    })
    .end(body);
}

function headersOf(
  { request: { call } }: FastifyReply,
  { headers, tag, isUnchanged, isReplayed }: Response,
): Readonly<Record<string, string | number>> {
  return {
    ...(call?.balance !== undefined && balanceHeaders(call.balance, call.tokens ?? 0)),
    ...(tag !== undefined && { etag: tag, "cache-control": REVALIDATED }),
    ...(isReplayed && REPLAYED),
    ...(isUnchanged !== true && { "content-type": JSON_TYPE }),
    ...headers,
  };
}
