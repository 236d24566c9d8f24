import { Type } from "typebox";
import { ApiError } from "../../../contract/errors.ts";
import { EVENT_TYPE_INFO, EVENT_TYPES, type EventType } from "../../../contract/eventTypes.ts";
import { count, text } from "../../../contract/fields.ts";
import { type ChangeEvent, MONITOR_BOUNDS } from "../../../contract/monitors.ts";
import { changeEventOf } from "../../../monitors/changeEvent.ts";
import { free } from "../../endpoint.ts";
import { kvkNumberField, oneOf } from "../shared.ts";
import { cursorOf, sequenceIn } from "./cursor.ts";
import { noWebhook } from "./monitors.ts";
import { EventIdParameter, EventRef, eventNotFound, pageLimit, SHARED, tooManyTests } from "./resources.ts";

const CURSOR = "AAAAAAAAABnsMWgv3lYZFw";

/** The events of an account. */
export const changes = free({
  ...SHARED,
  method: "GET",
  path: "/v1/changes",
  summary: "Read changes",
  description:
    "The events of the account, oldest first (free); without `after`, from the oldest. When you have handled them, store `next` and pass it as `after` in the next call, so that none is missed. An event may be returned twice: skip ids that you know. There are no more events when `next` is unchanged or, without a filter, when there are fewer than `limit`. A cursor older than the stored events is CURSOR_EXPIRED.",
  tool: {
    name: "list_changes",
    title: "List changes of monitored companies",
    description:
      "The changes of monitored companies, oldest first, each with the fields before and now. Call again with next as after, until no events are returned. Keep next to see only newer changes later. Costs no tokens.",
    isOpenWorld: false,
  },
  errors: ["CURSOR_EXPIRED"],
  schema: {
    querystring: Type.Object({
      after: Type.Optional(
        Type.String({ description: "The `next` of the previous call.", examples: [CURSOR] }),
      ),
      limit: pageLimit(MONITOR_BOUNDS.maxPage),
      kvkNumber: Type.Optional(kvkNumberField("Only events of this company.")),
      type: Type.Optional(oneOf(EVENT_TYPES, "Only events of this type.", "company.moved")),
    }),
    response: Type.Object({
      events: Type.Array(EventRef, { description: "The events, oldest first." }),
      next: text(
        "Pass it as `after` in the next call. It also passes events that the filter left out.",
        CURSOR,
      ),
    }),
  },
  handler: async ({ query: { after, limit, ...filter } }, { monitors }, owner) => {
    const sequence = after === undefined ? 0 : sequenceIn(after, owner);
    let page = await monitors.events(owner, sequence, limit, filter);
    // Events may expire in between again, but only once a day.
    if ("expired" in page && after === undefined) {
      page = await monitors.events(owner, page.expired, limit, filter);
    }
    if ("expired" in page) {
      const oldestCursor = cursorOf(page.expired, owner);
      throw new ApiError(
        "CURSOR_EXPIRED",
        `the events after this cursor are no longer kept: continue with the cursor in X-Oldest-Cursor`,
        { oldestCursor },
      );
    }
    return { body: { events: page.events.map(changeEventOf), next: cursorOf(page.read, owner) } };
  },
});

/** An example event of each type. */
const EXAMPLES = EVENT_TYPES.map((type, index) => ({
  type,
  description: EVENT_TYPE_INFO[type].description,
  price: EVENT_TYPE_INFO[type].price,
  fields: EVENT_TYPE_INFO[type].fields,
  example: exampleOf(type, index),
}));

function exampleOf(type: EventType, index: number): ChangeEvent {
  const { testNumber, example } = EVENT_TYPE_INFO[type];
  return {
    id: `evt_${String(index + 1).padStart(22, "0")}`,
    type,
    kvkNumber: testNumber ?? "99990001",
    observedAt: "2026-11-21T12:00:00.000Z",
    ...(testNumber !== undefined && { source: { kvk: "import:test", cachedAt: "2026-11-21T06:00:00.000Z" } }),
    changes: example,
    metadata: { debtor: "1042" },
  };
}

/** The types of events. */
export const eventTypes = free({
  ...SHARED,
  method: "GET",
  path: "/v1/event-types",
  summary: "List the types of events",
  description: "Each type of event with its price and an example (free).",
  schema: {
    response: Type.Object({
      eventTypes: Type.Array(
        Type.Object({
          type: oneOf(EVENT_TYPES, "The type.", "company.renamed"),
          description: text("The meaning of the type.", EVENT_TYPE_INFO["company.renamed"].description),
          price: count("Tokens for each event.", EVENT_TYPE_INFO["company.renamed"].price),
          fields: Type.Array(Type.String(), {
            description: "The fields that `changes` may have.",
            examples: [EVENT_TYPE_INFO["company.renamed"].fields],
          }),
          example: EventRef,
        }),
        { description: "Every type." },
      ),
    }),
  },
  handler: async () => ({ body: { eventTypes: EXAMPLES } }),
});

/** Sends an event to its webhook again. */
export const redeliverEvent = free({
  ...SHARED,
  method: "POST",
  path: "/v1/events/:eventId/redeliver",
  summary: "Send an event to its webhook again",
  description: `Sends the message about an event to the webhook of its monitor within seconds (free), under the same id. It is retried for ${MONITOR_BOUNDS.webhookRetryDays} days.`,
  schema: { params: Type.Object({ eventId: EventIdParameter }), response: EventRef },
  handler: async ({ params: { eventId } }, { monitors }, owner) => {
    const event = await monitors.event(owner, eventId);
    if (event === undefined) throw eventNotFound(eventId);
    const isQueued = await monitors.redeliver(owner, eventId);
    if (typeof isQueued === "number") throw tooManyTests(isQueued);
    if (!isQueued) {
      throw event.monitorId === undefined ? eventNotFound(eventId) : noWebhook(event.monitorId);
    }
    return { body: changeEventOf(event) };
  },
});
