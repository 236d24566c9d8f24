/** Events as callers get them: from `GET /v1/changes`, and in webhook messages. */

import { randomBytes } from "node:crypto";
import { base62 } from "../contract/keyForm.ts";
import type { ChangeEvent } from "../contract/monitors.ts";
import { EVENT_MESSAGE_LIFE_MS, payloadOf } from "../webhooks/message.ts";
import type { StoredEvent } from "./stored.ts";

const ID_LENGTH = 22;

export function newEventId(): string {
  return `evt_${base62(ID_LENGTH, randomBytes)}`;
}

export function changeEventOf(event: StoredEvent): ChangeEvent {
  const { id, type, kvkNumber, observedAtMs, source, changes, metadata } = event;
  const fact = changes["isActive"] ?? changes["insolvency"];
  // The end of a case is never a first observation: its values before were deleted with the case.
  const isFirst = fact !== undefined && !("previous" in fact) && fact.current !== "none";
  return {
    id,
    type,
    ...(kvkNumber !== undefined && { kvkNumber }),
    observedAt: new Date(observedAtMs).toISOString(),
    ...(source !== undefined && {
      source: { kvk: source.origin, cachedAt: new Date(source.asOfMs).toISOString() },
    }),
    changes,
    ...(isFirst && { isFirstObservation: true }),
    ...(metadata !== undefined && { metadata }),
  };
}

/**
 * The message about an event by Standard Webhooks. It has the id of the event, so that a receiver recognises a
 * repetition.
 */
export function webhookMessage(
  event: StoredEvent,
  nowMs: number,
): { readonly id: string; readonly payload: string; readonly dropAtMs: number } {
  const payload = payloadOf(event.type, changeEventOf(event), nowMs);
  return { id: event.id, payload, dropAtMs: nowMs + EVENT_MESSAGE_LIFE_MS };
}
