import { randomUUID } from "node:crypto";
import type { StoredList } from "../store.ts";

/** A message is tried again for so long. */
export const MESSAGE_LIFE_MS = 86_400_000;

/** What is told of the end of a list: which one it is and how it went, nothing of what was asked. */
export function messageOf(
  list: StoredList,
  nowMs: number,
): { readonly id: string; readonly payload: string } {
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
