/** Responses about monitors for the account page, in addition to the API. */
import { type Static, Type } from "typebox";
import { count, flag, moment, object, rows, text } from "./fields.ts";
import { type ChangeEvent, ChangeEventSchema } from "./monitors.ts";
import { refTo } from "./resources.ts";

export const AccountEventsSchema = object("Events of the account's live keys.", {
  events: Type.Array(refTo<ChangeEvent>(ChangeEventSchema), { description: "Newest first." }),
  names: Type.Unsafe<Readonly<Record<string, string>>>({
    type: "object",
    additionalProperties: { type: "string" },
    description: "The present names of their companies by KVK number, as in `GET /v1/monitors`.",
  }),
  before: Type.Optional(count("Continues with older events; absent on the last page.")),
});
export type AccountEvents = Static<typeof AccountEventsSchema>;

export const UnreadEventsSchema = object("Events that the page has not shown yet.", {
  unread: count("Their number."),
});
export type UnreadEvents = Static<typeof UnreadEventsSchema>;

export const AccountWebhooksSchema = object("The webhooks of the account's monitors.", {
  webhooks: rows("By URL.", {
    url: text("The URL."),
    monitors: count("Monitors that use it."),
    monitorId: text("One of them."),
    waiting: count("Messages waiting to be delivered."),
    deliveredAt: Type.Optional(moment("The last delivery.")),
    failedAt: Type.Optional(moment("The last failure.")),
    failure: Type.Optional(text("The reason of the last failure.")),
    isEnabled: flag("Whether messages are sent."),
    disabledAt: Type.Optional(moment("When it was disabled.")),
    pausedUntil: Type.Optional(
      moment("Present while it gets no message because it was busy: when the next is sent."),
    ),
  }),
});
export type AccountWebhooks = Static<typeof AccountWebhooksSchema>;
