/** How what is delivered leaves: whole, or as the word that the client holds it already. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Balance } from "../metering/store.ts";
import type { Call } from "./call.ts";
import { isHeld } from "./conditional.ts";
import { JSON_TYPE } from "./errorAnswers.ts";
import { balanceLines, COMMON, CROSS_ORIGIN, UNHELD } from "./headers.ts";
import { linesOf } from "./headLines.ts";
import { sendNotModified, sendWhole } from "./wholeResponse.ts";

const ON_ALL = linesOf({ ...COMMON, ...CROSS_ORIGIN });
const OF_BODY = `${ON_ALL}${linesOf({ "content-type": JSON_TYPE })}`;
const UNHELD_LINE = linesOf({ "cache-control": UNHELD });
/** What an answer says of itself that was kept. */
export const REPLAYED = { "idempotency-replayed": "true" };
const REPLAYED_LINE = linesOf(REPLAYED);
/** A client may hold it and must ask each time: that costs nothing while it is the same. */
const REVALIDATED_LINE = linesOf({ "cache-control": "private, no-cache" });

/** Whether a call wants its answer only when it is another one than it holds. */
export function asksForChange(call: Call, request: FastifyRequest): boolean {
  return call.tags !== undefined && request.headers["if-none-match"] !== undefined;
}

/** Whether an answer is one that the client holds already; noted with the call, so that it is not sent. */
export function isUnchanged(text: string, call: Call, request: FastifyRequest): boolean {
  if (!asksForChange(call, request)) return false;
  call.tag = call.tags?.of(text);
  call.isUnchanged = call.tag !== undefined && isHeld(request.headers["if-none-match"], call.tag);
  return call.isUnchanged;
}

/** Sends what is delivered, its charge being durable. */
export function sendDelivered(reply: FastifyReply, call: Call, balance: Balance, text: string): void {
  if (call.receiver !== undefined) {
    call.receiver.delivered(text);
    return;
  }
  const tag = call.tag ?? call.tags?.of(text);
  const held = tag === undefined ? UNHELD_LINE : `${REVALIDATED_LINE}etag: ${tag}\r\n`;
  const replayed = call.isReplayed ? REPLAYED_LINE : "";
  const balanced = balanceLines(balance, call.tokens ?? 0);
  const own = `x-request-id: ${reply.request.id}\r\n${balanced}${held}${replayed}`;
  if (call.isUnchanged) sendNotModified(reply, `${ON_ALL}${own}`);
  else sendWhole(reply, `${OF_BODY}${own}`, text);
}

/** The body as the endpoint's schema writes it. */
export function asText(reply: FastifyReply, body: unknown): string {
  const receiver = reply.request.call?.receiver;
  return receiver === undefined ? String(reply.serialize(body)) : receiver.serialize(body);
}
