/**
 * Webhook messages: their form, and their signature by Standard Webhooks
 * (github.com/standard-webhooks/standard-webhooks, symmetric scheme v1).
 */
import { createHmac } from "node:crypto";
import { MONITOR_BOUNDS } from "../contract/monitors.ts";
import type { ClaimedMessage } from "./claimed.ts";

/** How long delivery of a message about a list is retried. */
export const MESSAGE_LIFE_MS = 86_400_000;

/** Returns the body of a message. */
export function payloadOf(type: string, data: object, nowMs: number): string {
  return JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data });
}

/** How long the previous secret is used too, so that a receiver can switch without losing a message. */
export const OLD_SECRET_SIGNS_MS = 86_400_000;

/**
 * Returns an account's webhook secret. It is derived from the service's secret and a stored seed, so it is never
 * stored.
 */
export function secretOf(serviceSecret: string, accountId: string, seed: string): string {
  return `whsec_${keyOf(serviceSecret, accountId, seed).toString("base64")}`;
}

/**
 * Returns the headers of one delivery, with a signature for each current secret.
 * @param atSeconds time of sending, Unix seconds
 */
export function signedHeaders(
  { id, accountId, payload, seeds }: Pick<ClaimedMessage, "id" | "accountId" | "payload" | "seeds">,
  serviceSecret: string,
  atSeconds: number,
): Record<string, string> {
  const signatures = seeds.map((seed) => {
    const signature = createHmac("sha256", keyOf(serviceSecret, accountId, seed));
    return `v1,${signature.update(`${id}.${atSeconds}.${payload}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(atSeconds),
    "webhook-signature": signatures.join(" "),
  };
}

function keyOf(serviceSecret: string, accountId: string, seed: string): Buffer {
  return createHmac("sha256", serviceSecret).update(`webhook ${accountId} ${seed}`).digest();
}

/** How long delivery of a message about an event is retried. */
export const EVENT_MESSAGE_LIFE_MS = MONITOR_BOUNDS.webhookRetryDays * 86_400_000;
