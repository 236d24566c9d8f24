/** The public API of `@opzoek/client/monitors`. The errors come from `@opzoek/client`. */
import type { ChangeEvent } from "../api/resources.ts";

export type { ChangeEvent, Monitor, MonitorSettings } from "../api/resources.ts";
export type { CallOptions, ClientOptions } from "../transport.ts";
export type { ChangesOptions, ReadChange } from "./changes.ts";
export {
  type ChangeType,
  type MonitorChange,
  type MonitorFields,
  type MonitorOptions,
  type MonitorRef,
  Monitors,
  type SettingsChange,
} from "./monitors.ts";

/** A webhook message about an event, which `verifyWebhook<EventMessage>()` of `@opzoek/client/jobs` verifies. */
export interface EventMessage {
  /** The id of the event: a message can arrive twice. */
  readonly messageId: string;
  readonly type: ChangeEvent["type"];
  /** When it was recorded, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly data: ChangeEvent;
}
