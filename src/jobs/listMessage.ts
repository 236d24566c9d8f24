import { randomUUID } from "node:crypto";
import type { ClaimedMessage } from "../webhooks/claimed.ts";
import { payloadOf } from "../webhooks/message.ts";
import type { StoredList } from "./stored.ts";

/** Returns the message about a finished list. It contains no numbers and no results. */
export function messageOf(list: StoredList, nowMs: number): Pick<ClaimedMessage, "id" | "payload"> {
  const { id, kind, status, sent, duplicates, found, failed, charged } = list;
  const data = {
    id,
    kind,
    status,
    counts: { sent, duplicates, numbers: sent - duplicates, done: found + failed, found, failed },
    tokens: { charged },
  };
  return { id: `msg_${randomUUID().replaceAll("-", "")}`, payload: payloadOf(`job.${status}`, data, nowMs) };
}
