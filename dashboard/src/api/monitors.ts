/** Monitors and their settings through the public API; events and webhooks through the account API. */
import type { AccountEvents, AccountWebhooks, UnreadEvents } from "../../../src/contract/eventResources.ts";
import type { ChangeType } from "../../../src/contract/eventTypes.ts";
import {
  type ChangeEvent,
  type Metadata,
  MONITOR_BOUNDS,
  type Monitor,
  type MonitorSettings,
} from "../../../src/contract/monitors.ts";
import { queryOf } from "./account.ts";
import type { FailureCode } from "./failure.ts";
import { bodyOf, tried } from "./publicApi.ts";
import { send } from "./request.ts";

const EVENTS_AT_ONCE = 500;

export interface MonitorFields {
  readonly events?: readonly ChangeType[] | null;
  readonly metadata?: Metadata;
  readonly webhook?: string | null;
}

export interface AddedMonitors {
  readonly results: readonly Monitor[];
  readonly failed: readonly { readonly kvkNumber: string; readonly error: { readonly code: FailureCode } }[];
}

export interface MonitorPage {
  readonly monitors: readonly Monitor[];
  readonly next?: string;
}

/** Calls the API. @throws {Failure} */
async function call<T>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<T> {
  return bodyOf(await tried<T>(method, path, body === undefined ? {} : { body: JSON.stringify(body) }));
}

/** @param after the `next` of the previous page; empty for the first */
export const readMonitors = (after: string) =>
  call<MonitorPage>("GET", `/v1/monitors?${queryOf({ after, limit: MONITOR_BOUNDS.maxMonitorPage })}`);
/** Adds monitors, or changes the given fields of existing ones. */
export const addMonitors = (kvkNumbers: readonly string[], fields: MonitorFields) =>
  call<AddedMonitors>("POST", "/v1/monitors", { kvkNumbers, ...fields });
export const changeMonitor = (id: string, fields: MonitorFields) =>
  call<Monitor>("PATCH", `/v1/monitors/${id}`, fields);
export const removeMonitor = (id: string) => call<unknown>("DELETE", `/v1/monitors/${id}`);
export const testWebhook = (monitorId: string) => call<unknown>("POST", `/v1/monitors/${monitorId}/test`);

export const readMonitorSettings = () => call<MonitorSettings>("GET", "/v1/monitor-settings");
export const changeMonitorSettings = (change: {
  readonly maxTokens?: number | null;
  readonly weeklyDigest?: boolean;
}) => call<MonitorSettings>("PATCH", "/v1/monitor-settings", change);
export const createWebhookSecret = () => call<{ readonly secret: string }>("POST", "/v1/webhook-secret");

/** Filters of events; an empty text matches all. */
export interface EventQuery {
  readonly kvkNumber: string;
  readonly type: string;
  /** The `before` of the previous page; empty for the newest. */
  readonly before: string;
}
export const readEvents = (query: EventQuery) =>
  send<AccountEvents>("GET", `/account/events?${queryOf(query)}`);
/** Reads all events that fit, newest first, and the names of their companies. */
export async function readAllEvents(query: Pick<EventQuery, "kvkNumber" | "type">) {
  const events: ChangeEvent[] = [];
  const names: Record<string, string> = {};
  for (let before: string | undefined = ""; before !== undefined; ) {
    const parameters = queryOf({ ...query, before, limit: EVENTS_AT_ONCE });
    const page: AccountEvents = await send<AccountEvents>("GET", `/account/events?${parameters}`);
    events.push(...page.events);
    Object.assign(names, page.names);
    before = page.before?.toString();
  }
  return { events, names };
}
export const readUnread = () => send<UnreadEvents>("GET", "/account/events/unread");
export const markEventsRead = () => send<void>("POST", "/account/events/read");
export const redeliverEvent = (id: string) => call<unknown>("POST", `/v1/events/${id}/redeliver`);
export const readWebhooks = () => send<AccountWebhooks>("GET", "/account/webhooks");
