/** Parameters of calls about monitors, and stored monitors and events as callers see them. */
import { Type } from "typebox";
import { ApiError, invalid, retryLater } from "../../../contract/errors.ts";
import type { ChangeType } from "../../../contract/eventTypes.ts";
import {
  type ChangeEvent,
  ChangeEventSchema,
  EVENT_ID_PATTERN,
  type Metadata,
  MONITOR_BOUNDS,
  MONITOR_ID_PATTERN,
  type Monitor,
  MonitorSchema,
} from "../../../contract/monitors.ts";
import { quoted } from "../../../contract/quoting.ts";
import { refTo } from "../../../contract/resources.ts";
import { isUnprintable } from "../../../lib/values.ts";
import type { MonitorFields } from "../../../monitors/stored.ts";

export const MonitorRef = refTo<Monitor>(MonitorSchema);
export const EventRef = refTo<ChangeEvent>(ChangeEventSchema);

/** The facts that all endpoints about monitors share. All are free. */
export const SHARED = { operation: "monitors", tag: "Monitors" } as const;

const idParameter = (pattern: string, description: string, example: string, rule: string) =>
  Type.Unsafe<string>({ type: "string", pattern, description, examples: [example], "x-rule": rule });

export const MonitorIdParameter = idParameter(
  MONITOR_ID_PATTERN,
  "The id of a monitor.",
  "mon_0123456789abcdefABCDEF",
  "the id of a monitor, such as mon_0123456789abcdefABCDEF",
);

export const EventIdParameter = idParameter(
  EVENT_ID_PATTERN,
  "The id of an event.",
  "evt_0123456789abcdefABCDEF",
  "the id of an event, such as evt_0123456789abcdefABCDEF",
);

/** The maximum number of items in a page. */
export const pageLimit = (maximum: number) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: MONITOR_BOUNDS.maxPage,
    description: "Maximum number of items to return.",
    examples: [MONITOR_BOUNDS.maxPage],
  });

/** Checks what the schema of a body cannot express. @throws {ApiError} INVALID_REQUEST */
export function readFields(
  fields: {
    readonly events?: readonly ChangeType[] | null;
    readonly metadata?: Metadata | null;
    readonly webhook?: string | null;
  },
  problemOfWebhook: (url: string) => string | undefined,
): MonitorFields {
  const { events, metadata } = fields;
  if (metadata) checkMetadata(metadata);
  const webhook = fields.webhook?.trim() ?? fields.webhook;
  const problem = typeof webhook === "string" ? problemOfWebhook(webhook) : undefined;
  if (problem !== undefined) throw invalid(`webhook ${problem}`);
  return { events: events && [...new Set(events)], metadata, webhook };
}

function checkMetadata(metadata: Readonly<Record<string, unknown>>): void {
  const { maxMetadata, metadataNameLength, metadataValueLength } = MONITOR_BOUNDS;
  const entries = Object.entries(metadata);
  if (entries.length > maxMetadata) {
    throw invalid(`metadata must have at most ${maxMetadata} entries; received ${entries.length}`);
  }
  for (const [name, value] of entries) {
    if (name === "" || name.length > metadataNameLength || isUnprintable(name)) {
      throw invalid(
        `metadata must have names of 1 to ${metadataNameLength} characters, no control characters; received ${quoted(name)}`,
      );
    }
    if (typeof value !== "string" || value.length > metadataValueLength || isUnprintable(value)) {
      throw invalid(
        `metadata[${quoted(name)}] must be a string of at most ${metadataValueLength} characters, no control characters`,
      );
    }
  }
}

export function monitorNotFound(id: string): ApiError {
  return new ApiError("NOT_FOUND", `this account has no monitor ${id}`);
}

export function eventNotFound(id: string): ApiError {
  return new ApiError("NOT_FOUND", `this account has no event ${id}; events are deleted after some time`);
}

/** Returns the error if a webhook cannot be set. */
export function webhookRefused(reason: "webhooks" | "no-secret"): ApiError {
  return invalid(
    reason === "no-secret"
      ? "webhook needs a signing secret: create one with POST /v1/webhook-secret"
      : `webhook must be one of at most ${MONITOR_BOUNDS.maxWebhooks} different URLs of this account: use one of them`,
  );
}

/** Returns the error if an account is at a limit of test messages. */
export function tooManyTests(waitMs: number): ApiError {
  const { testsPerHour, maxWaitingTests } = MONITOR_BOUNDS;
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = `an account may send ${testsPerHour} test messages in an hour, while at most ${maxWaitingTests} wait for delivery; wait ${seconds} s`;
  return retryLater("RATE_LIMIT_EXCEEDED", seconds, message);
}
