/** Sends the outcome of a call with the headers that every response to a key carries. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { ApiError } from "../contract/errors.ts";
import { JSON_TYPE, sendError } from "./errorAnswers.ts";
import { balanceHeaders } from "./headers.ts";

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

/** Sends an outcome. Resolves when the last byte has left, or the connection has ended. */
export async function send(reply: FastifyReply, outcome: Outcome): Promise<void> {
  if (outcome instanceof ApiError) {
    sendError(reply, outcome);
    return;
  }
  const { status, headers, body, tag, isUnchanged, isReplayed } = outcome;
  const { call } = reply.request;
  if (call?.balance !== undefined) reply.headers(balanceHeaders(call.balance, call.tokens ?? 0));
  if (tag !== undefined) reply.headers({ etag: tag, "cache-control": REVALIDATED });
  if (isReplayed) reply.headers(REPLAYED);
  if (isUnchanged) {
    reply.code(304).send();
    return;
  }
  reply.code(status).header("content-type", JSON_TYPE);
  if (headers !== undefined) reply.headers(headers);
  if (body instanceof Readable && reply.request.method === "HEAD") {
    body.destroy();
    reply.send();
  } else {
    await reply.send(body);
  }
}
