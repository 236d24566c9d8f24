import { USUAL_CHANGE_TYPES } from "../contract/eventTypes.ts";
import type { Monitor } from "../contract/monitors.ts";
import { known } from "../lib/values.ts";
import { type MonitorService, notReported } from "./sources.ts";
import type { StoredMonitor } from "./stored.ts";

/** Returns a monitor as callers see it. */
export function monitorResource(monitor: StoredMonitor, service: MonitorService): Monitor {
  const sources = service.sources();
  const wanted = monitor.events ?? USUAL_CHANGE_TYPES;
  const watches = monitor.comparisons.filter(({ origin }) =>
    sources.some(({ source, reports }) => source === origin && reports.some((type) => wanted.includes(type))),
  );
  const missing = notReported(sources, monitor.events);
  const { id, kvkNumber, pausedFor, events, metadata, webhook, webhookDisabledAtMs, createdAtMs } = monitor;
  return {
    id,
    kvkNumber,
    status: pausedFor === undefined ? "active" : "paused",
    ...known("reason", pausedFor),
    ...(events !== undefined && { events: [...events] }),
    ...known("metadata", metadata),
    ...(webhook !== undefined && {
      webhook: {
        url: webhook,
        ...(webhookDisabledAtMs !== undefined && { disabledAt: iso(webhookDisabledAtMs) }),
      },
    }),
    createdAt: iso(createdAtMs),
    watchedBy: watches.map(({ origin }) => origin),
    ...(watches.length > 0 && { checkedAt: iso(Math.max(...watches.map(({ atMs }) => atMs))) }),
    ...(missing.length > 0 && { notReported: missing }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
