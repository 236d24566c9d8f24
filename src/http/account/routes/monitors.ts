import { type Static, Type } from "typebox";
import { valueLines } from "../../../contract/changeText.ts";
import {
  AccountEventsSchema,
  AccountWebhooksSchema,
  UnreadEventsSchema,
} from "../../../contract/eventResources.ts";
import { EVENT_TYPES } from "../../../contract/monitors.ts";
import { KVK_NUMBER_PATTERN, type KvkNumber } from "../../../contract/numbers.ts";
import { listCell, SPREADSHEET_START, spreadsheetRow } from "../../../lib/spreadsheet.ts";
import { known } from "../../../lib/values.ts";
import { changeEventOf } from "../../../monitors/changeEvent.ts";
import type { EventFilter, StoredEvent } from "../../../monitors/store.ts";
import { oneOf } from "../../endpoints/shared.ts";
import { type AccountRoute, forSignedIn, type SignedInRequest } from "../route.ts";
import { fileOf } from "./export.ts";

const PAGE_SIZE = 25;
const NEWEST = Number.MAX_SAFE_INTEGER;

const EventsQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: NEWEST, description: "The `before` of the previous page." }),
  ),
  kvkNumber: Type.Optional(
    Type.Unsafe<KvkNumber>({
      type: "string",
      pattern: KVK_NUMBER_PATTERN,
      description: "Only events of this company.",
      "x-rule": "exactly 8 digits",
    }),
  ),
  type: Type.Optional(oneOf(EVENT_TYPES, "Only events of this type.", "company.moved")),
});

/** Events and webhooks of monitors as the page shows them. It calls the API for the monitors themselves. */
export const monitorRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/events", {
    schema: { querystring: EventsQuery, response: AccountEventsSchema },
    handler: ({ query: { before = NEWEST, ...filter } }, request) => eventsOf(request, before, filter),
  }),

  forSignedIn("GET /account/events/unread", {
    schema: { response: UnreadEventsSchema },
    handler: async (_input, { services, accountId }) => {
      const { unread } = await services.monitors.account({ accountId });
      return { unread };
    },
  }),

  forSignedIn("POST /account/events/read", {
    handler: (_input, { services, accountId }) => services.monitors.markEventsRead(accountId),
  }),

  forSignedIn("GET /account/events.csv", {
    status: 200,
    handler: (_input, request) =>
      fileOf(request, "opzoek-events.csv", "text/csv; charset=utf-8", eventRows(request)),
  }),

  forSignedIn("GET /account/webhooks", {
    schema: { response: AccountWebhooksSchema },
    handler: async (_input, { services, accountId }) => {
      const webhooks = await services.monitors.webhooks(accountId);
      return {
        webhooks: webhooks.map(({ deliveredAtMs, failedAtMs, disabledAtMs, pausedUntilMs, ...status }) => ({
          ...status,
          ...known("deliveredAt", isoOf(deliveredAtMs)),
          ...known("failedAt", isoOf(failedAtMs)),
          ...known("disabledAt", isoOf(disabledAtMs)),
          ...known("pausedUntil", isoOf(pausedUntilMs)),
          isEnabled: disabledAtMs === undefined,
        })),
      };
    },
  }),
];

async function eventsOf(
  { services, accountId }: SignedInRequest,
  before: number,
  filter: EventFilter,
): Promise<Static<typeof AccountEventsSchema>> {
  const events = await services.monitors.latestEvents({ accountId }, before, PAGE_SIZE + 1, filter);
  const shown = events.slice(0, PAGE_SIZE);
  return {
    events: shown.map(changeEventOf),
    ...(events.length > PAGE_SIZE && known("before", shown.at(-1)?.sequence)),
  };
}

const COLUMNS = [
  ...["observed_at", "type", "kvk_number", "name", "field", "previous", "current"],
  ...["source", "source_date", "event_id"],
];

/** All stored events as rows under their column names, newest first: one for each changed field. */
async function* eventRows({ services, accountId }: SignedInRequest): AsyncGenerator<string, void> {
  yield SPREADSHEET_START + spreadsheetRow(COLUMNS);
  for await (const events of services.monitors.eventsInSteps({ accountId })) {
    yield events.map(rowsOfEvent).join("");
  }
}

/** The words of a file are those of the API. */
const CODES = {
  number: String,
  day: (day: string) => day,
  isActive: String,
  code: (code: string) => code,
  main: "main",
};

/** Writes an event as rows of a spreadsheet. */
export function rowsOfEvent(event: StoredEvent): string {
  const { observedAtMs, type, kvkNumber = "", metadata, source, id } = event;
  const fields = Object.entries(event.changes);
  // Some events report no change.
  if (fields.length === 0) fields.push(["", {}]);
  return fields
    .map(([field, { previous, current }]) => {
      const values = [previous, current].map((value) => listCell(valueLines(field, value, CODES)));
      const named = [isoOf(observedAtMs) ?? "", type, kvkNumber, metadata?.name ?? "", field];
      return spreadsheetRow([...named, ...values, source?.origin ?? "", isoOf(source?.asOfMs) ?? "", id]);
    })
    .join("");
}

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
