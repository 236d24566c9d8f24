/** Messages about the ends of lists, signed as Standard Webhooks says (github.com/standard-webhooks/standard-webhooks, version 1 of the symmetric scheme). */
import { createHmac, randomUUID } from "node:crypto";
import type { ClaimedMessage, StoredList } from "../store.ts";

/** A message is tried again for so long. */
export const MESSAGE_LIFE_MS = 86_400_000;

/** What is told of the end of a list: which one it is and how it went, nothing of what was asked. */
export function messageOf(list: StoredList, nowMs: number): Pick<ClaimedMessage, "id" | "payload"> {
  const { id, kind, status, sent, duplicates, found, failed, charged } = list;
  const payload = {
    type: `job.${status}`,
    timestamp: new Date(nowMs).toISOString(),
    data: {
      id,
      kind,
      status,
      counts: { sent, duplicates, numbers: sent - duplicates, done: found + failed, found, failed },
      tokens: { charged },
    },
  };
  return { id: `msg_${randomUUID().replaceAll("-", "")}`, payload: JSON.stringify(payload) };
}

/** The secret before this one signs on for so long, so that who checks signatures can change it without losing a message. */
export const OLD_SECRET_SIGNS_MS = 86_400_000;

/**
 * The secret of an account, as its receiver is given it once. It is made of what the service keeps to itself and of the seed that the state
 * holds, so that it stands nowhere.
 */
export function secretOf(serviceSecret: string, accountId: string, seed: string): string {
  return `whsec_${keyOf(serviceSecret, accountId, seed).toString("base64")}`;
}

/** The headers of one delivery; each secret that counts signs. @param atSeconds when it is sent, Unix seconds */
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
