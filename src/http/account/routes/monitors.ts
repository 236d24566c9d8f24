import { type Static, Type } from "typebox";
import {
  AccountEventsSchema,
  AccountWebhooksSchema,
  UnreadEventsSchema,
} from "../../../contract/eventResources.ts";
import { EVENT_TYPES } from "../../../contract/eventTypes.ts";
import { KVK_NUMBER_PATTERN, type KvkNumber } from "../../../contract/numbers.ts";
import { known } from "../../../lib/values.ts";
import { changeEventOf } from "../../../monitors/changeEvent.ts";
import type { EventFilter } from "../../../monitors/stored.ts";
import { oneOf } from "../../endpoints/shared.ts";
import { type AccountRoute, forSignedIn, type SignedInRequest } from "../route.ts";

const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 500;
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
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }),
});

/** Events and webhooks of monitors as the page shows them. It calls the API for the monitors themselves. */
export const monitorRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/events", {
    schema: { querystring: EventsQuery, response: AccountEventsSchema },
    handler: ({ query: { before = NEWEST, limit, ...filter } }, request) =>
      eventsOf(request, before, limit, filter),
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
  { services: { monitors }, accountId, signedIn }: SignedInRequest,
  before: number,
  limit: number,
  filter: EventFilter,
): Promise<Static<typeof AccountEventsSchema>> {
  const events = await monitors.latestEvents({ accountId }, before, limit + 1, filter);
  const shown = events.slice(0, limit);
  const numbers = [...new Set(shown.flatMap(({ kvkNumber }) => kvkNumber ?? []))];
  const companies = await monitors.companies(
    { accountId, tierName: signedIn.person.account.tierName },
    numbers,
  );
  return {
    events: shown.map(changeEventOf),
    names: Object.fromEntries([...companies].map(([kvkNumber, { name }]) => [kvkNumber, name])),
    ...(events.length > limit && known("before", shown.at(-1)?.sequence)),
  };
}

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
