import { Type } from "typebox";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import type { ViesEvidence } from "../../../contract/accountFields.ts";
import { type Plans, PlansSchema } from "../../../contract/accountResources.ts";
import { forbidden, REGISTRY_UNAVAILABLE, retryLater } from "../../../contract/errors.ts";
import { OPERATIONS, PRICES } from "../../../contract/prices.ts";
import {
  type Offer,
  OfferSchema,
  type ServiceStatus,
  ServiceStatusSchema,
  type Suggestions,
  SuggestionsSchema,
} from "../../../contract/publicResources.ts";
import { MAX_QUERY_LENGTH } from "../../../contract/totals.ts";
import { known } from "../../../lib/values.ts";
import { NO_REGISTRY, paid } from "../../../lookup/answer.ts";
import { hintFor } from "../../../lookup/pasted.ts";
import type { Services } from "../../endpoint.ts";
import { TierField } from "../fields.ts";
import {
  type AccountRoute,
  forEveryone,
  forSignedIn,
  type PersonRequest,
  type SignedInRequest,
  type ViesDay,
} from "../route.ts";

const SUGGESTIONS = 8;

/** Public views of the service, its plans, and requests for another plan. */
export const publicRoutes: readonly AccountRoute[] = [
  forEveryone("GET /account/status", {
    schema: { response: ServiceStatusSchema },
    handler: async (_input, request) => {
      const { service, registry: registrySource, vies, day } = await healthOf(request);
      return {
        service,
        registrySource,
        ...known("registry", request.services.lookup.coverage),
        vies,
        ...(day !== undefined && { slotSeconds: day.slotMs / 1_000, viesDay: byState(day) }),
        checkedAt: new Date(request.account.now()).toISOString(),
      };
    },
  }),

  forEveryone("GET /account/offer", {
    schema: { response: OfferSchema },
    handler: async (_input, { services }) => offerOf(services),
  }),

  forEveryone("GET /account/suggestions", {
    schema: {
      querystring: Type.Object({
        q: Type.String({
          minLength: 2,
          maxLength: MAX_QUERY_LENGTH,
          description: `The typed text: 2 to ${MAX_QUERY_LENGTH} characters.`,
        }),
      }),
      response: SuggestionsSchema,
    },
    handler: ({ query }, request) => suggest(query.q, request),
  }),

  forSignedIn("GET /account/plans", {
    schema: { response: PlansSchema },
    handler: (_input, request) => plansOf(request),
  }),

  forSignedIn("POST /account/plans/request", {
    schema: { body: Type.Object({ tier: TierField }), response: PlansSchema },
    handler: async ({ body }, request) => {
      const { account, signedIn, accountId } = request;
      account.accounts.checkTier(body.tier);
      if (body.tier === signedIn.person.account.tierName)
        throw new PersonRefusal("input", "you are already on this plan; choose another one");
      await account.people.askPlan(accountId, body.tier, new Date(account.now()).toISOString());
      return plansOf(request);
    },
  }),

  forSignedIn("DELETE /account/plans/request", {
    handler: (_input, { account, accountId }) => account.people.withdrawPlan(accountId),
  }),
];

/** Nobody pays for these searches. */
const NOBODY = { accountId: "", tierName: "" };

/** Searches the local registry only: these searches are free, so they call no upstream. */
async function suggest(q: string, { account, services, address }: PersonRequest): Promise<Suggestions> {
  if (account.publicSearch === undefined) {
    throw forbidden("searching requires an account here: sign in");
  }
  account.publicSearch.take(address);
  const { finder } = services;
  const answer = finder.isLive ? NO_REGISTRY : await paid(finder.autocomplete(q, SUGGESTIONS), NOBODY);
  if (answer.kind !== "found") {
    const { namesNotIndexed, noRegistry } = REGISTRY_UNAVAILABLE;
    const message = answer.kind === "not-findable" ? namesNotIndexed : noRegistry;
    throw retryLater("SERVICE_UNAVAILABLE", 60, message);
  }
  return { results: answer.found, ...hintFor(q, answer.found) };
}

/** Returns the status of the service and its sources. */
export async function healthOf({ account, services }: PersonRequest) {
  const [{ status: service, services: parts }, day] = await Promise.all([
    services.health(),
    // The health check reports an unavailable store; the rest is still useful.
    account.viesDay().catch(() => undefined),
  ]);
  return { service, registry: parts.kvk, vies: viesEvidence(parts.vies, day), day };
}

/** VIES counts as up only if it answered in the last 24 hours: its own status page is not enough evidence. */
function viesEvidence(health: ServiceStatus["vies"] | undefined, day: ViesDay | undefined): ViesEvidence {
  if (health === "degraded" || health === "down") return health;
  if (day === undefined || day.slots.length === 0) return "unknown";
  return day.slots.some(({ answered }) => answered > 0) ? "up" : "degraded";
}

function byState({ slots }: ViesDay): NonNullable<ServiceStatus["viesDay"]> {
  return [...Map.groupBy(slots, ({ state }) => state)].map(([state, ofState]) => ({
    state,
    slots: ofState.map((slot) => ({ ...slot, startsAt: new Date(slot.slotAtMs).toISOString() })),
  }));
}

async function plansOf({ account, services, signedIn }: SignedInRequest): Promise<Plans> {
  const { id, tierName } = signedIn.person.account;
  const [asked] = await account.people.planRequests(id);
  return {
    tier: tierName,
    ...offerOf(services),
    ...(asked !== undefined && { asked: { tier: asked.tierName, askedAt: asked.askedAt } }),
  };
}

/** Returns the plans of this service and the prices of calls. */
function offerOf({ tiers }: Services): Offer {
  return {
    tiers: Object.entries(tiers).map(([name, tier]) => ({ name, ...tier })),
    prices: OPERATIONS.map((operation) => ({ operation, tokens: PRICES[operation] })),
  };
}
