import { Type } from "typebox";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import { type Plans, PlansSchema } from "../../../contract/accountResources.ts";
import { OPERATIONS, PRICES } from "../../../contract/prices.ts";
import type { Offer } from "../../../contract/publicResources.ts";
import type { Services } from "../../endpoint.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit } from "../route.ts";

/** The plans, and asking for another one; the operator gives it. */
export const planRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "GET",
    path: "/account/plans",
    schema: { response: PlansSchema },
    handler: (_input, visit) => plansOf(visit),
  }),

  forSignedIn({
    method: "POST",
    path: "/account/plans/request",
    schema: {
      body: Type.Object({ tier: Type.String({ maxLength: 64, description: "The plan." }) }),
      response: PlansSchema,
    },
    handler: async ({ body }, visit) => {
      const { account, signedIn, accountId } = visit;
      account.accounts.checkTier(body.tier);
      if (body.tier === signedIn.person.account.tierName)
        throw new PersonRefusal("input", "this is your plan already; choose another one");
      await account.people.askPlan(accountId, body.tier, new Date(account.now()).toISOString());
      return plansOf(visit);
    },
  }),

  forSignedIn({
    method: "DELETE",
    path: "/account/plans/request",
    status: 204,
    schema: {},
    handler: (_input, { account, accountId }) => account.people.withdrawPlan(accountId),
  }),
];

async function plansOf({ account, services, signedIn }: SignedInVisit): Promise<Plans> {
  const { id, tierName } = signedIn.person.account;
  const [asked] = await account.people.planRequests(id);
  return {
    tier: tierName,
    ...offerOf(services),
    ...(asked !== undefined && { asked: { tier: asked.tierName, askedAt: asked.askedAt } }),
  };
}

/** The plans of this service, and what calls cost. */
export function offerOf({ tiers }: Pick<Services, "tiers">): Offer {
  return {
    tiers: Object.entries(tiers).map(([name, { monthlyTokens, ratePerMinute }]) => ({
      name,
      monthlyTokens,
      ratePerMinute,
    })),
    prices: OPERATIONS.map((operation) => ({ operation, tokens: PRICES[operation] })),
  };
}
