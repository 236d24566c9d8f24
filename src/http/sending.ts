/** How what is delivered leaves: whole, or as the word that the client holds it already. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Balance } from "../metering/store.ts";
import type { Call } from "./call.ts";
import { entityTag, isHeld } from "./conditional.ts";
import { JSON_TYPE } from "./errorAnswers.ts";
import { balanceHeaders, COMMON, CROSS_ORIGIN } from "./headers.ts";
import { fixedHeaders, type OwnHeaders, sendNotModified, sendWhole } from "./wholeResponse.ts";

const FIXED = fixedHeaders({ ...COMMON, ...CROSS_ORIGIN, "content-type": JSON_TYPE });
/** What an answer says of itself that was kept. */
export const REPLAYED = { "idempotency-replayed": "true" };
/** A client may hold it and must ask each time: that costs nothing while it is the same. */
const REVALIDATED = "private, no-cache";

/** Whether a call wants its answer only when it is another one than it holds. */
export function asksForChange(call: Call, request: FastifyRequest): boolean {
  return call.isConditional === true && request.headers["if-none-match"] !== undefined;
}

/** Whether an answer is one that the client holds already; noted with the call, so that it is not sent. */
export function isUnchanged(text: string, call: Call, request: FastifyRequest): boolean {
  if (!asksForChange(call, request)) return false;
  call.tag = entityTag(text);
  call.isUnchanged = isHeld(request.headers["if-none-match"] ?? "", call.tag);
  return call.isUnchanged;
}

/** Sends what is delivered, its charge being durable. */
export function sendDelivered(reply: FastifyReply, call: Call, balance: Balance, text: string): void {
  if (call.receiver !== undefined) {
    call.receiver.delivered(text);
    return;
  }
  const own: OwnHeaders = {
    "x-request-id": reply.request.id,
    ...balanceHeaders(balance, call.tokens ?? 0),
    ...(call.isConditional && { "cache-control": REVALIDATED, etag: call.tag ?? entityTag(text) }),
    ...(call.isReplayed && REPLAYED),
  };
  if (call.isUnchanged) sendNotModified(reply, { ...COMMON, ...CROSS_ORIGIN, ...own });
  else sendWhole(reply, FIXED, own, text);
}

/** The body as the endpoint's schema writes it. */
export function asText(reply: FastifyReply, body: unknown): string {
  const receiver = reply.request.call?.receiver;
  return receiver === undefined ? String(reply.serialize(body)) : receiver.serialize(body);
}
