import { Type } from "typebox";
import { createInvite, createReset, type OneTimeLink } from "../../../accounts/links.ts";
import type { StoredPerson } from "../../../accounts/people.ts";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import { forbidden } from "../../../contract/errors.ts";
import { type AdminLink, AdminLinkSchema } from "../../../contract/oneAccountResources.ts";
import {
  AdminAccountsSchema,
  AdminPlanRequestsSchema,
  AdminSuspensionsSchema,
} from "../../../contract/operatorResources.ts";
import { monthOf } from "../../../lib/periods.ts";
import { known } from "../../../lib/values.ts";
import type { Services } from "../../endpoint.ts";
import { EmailField, IdParams, pageField, pageOf, TierField } from "../fields.ts";
import { type AccountRoute, confirmed, forOperator, PasswordField, type PersonRequest } from "../route.ts";

/** Rows per page of a list for operators. */
export const PAGE_SIZE = 25;
const MAX_PAGES = 10_000;
const MAX_SUSPENSIONS = 100;

const suspending = (word: "suspend" | "resume", isSuspended: boolean) =>
  forOperator(`POST /account/admin/accounts/:id/${word}`, {
    schema: { params: IdParams },
    handler: ofAccount(async ({ params }, { account, accountId: by }) => {
      if (isSuspended && params.id === by) {
        throw forbidden("you cannot suspend your own account; ask another operator to do it");
      }
      await account.accounts.setSuspended(params.id, isSuspended, by);
    }),
  });

/**
 * Accounts as operators see and change them, and links for people: an invite or a password link appears only in the
 * response that creates it.
 */
export const accountsRoutes: readonly AccountRoute[] = [
  forOperator("GET /account/admin/accounts", {
    schema: {
      querystring: Type.Object({
        q: Type.String({ maxLength: 100, default: "", description: "Part of an address or id." }),
        page: pageField(MAX_PAGES),
      }),
      response: AdminAccountsSchema,
    },
    handler: async ({ query }, { account, services }) => {
      const { q, page } = query;
      const month = monthOf(account.now());
      const rows = pageOf(page, PAGE_SIZE);
      const { accounts, total } = await account.people.findAccounts(q.trim(), month, rows);
      const results = accounts.map((found) => ({ ...found, ...operatorAccount(found, services) }));
      return { results, total, page, pageSize: PAGE_SIZE };
    },
  }),

  forOperator("POST /account/admin/accounts/:id/tier", {
    schema: { params: IdParams, body: Type.Object({ tier: TierField }) },
    handler: ofAccount(({ params, body }, { account, accountId: by }) =>
      account.accounts.setTier(params.id, body.tier, by),
    ),
  }),

  suspending("suspend", true),
  suspending("resume", false),

  forOperator("GET /account/admin/suspensions", {
    schema: { response: AdminSuspensionsSchema },
    handler: async (_input, { account }) => ({
      suspensions: [...(await account.people.retainedSuspensions(account.now(), MAX_SUSPENSIONS))],
    }),
  }),

  forOperator("GET /account/admin/plan-requests", {
    schema: { querystring: Type.Object({ page: pageField(MAX_PAGES) }), response: AdminPlanRequestsSchema },
    handler: async ({ query: { page } }, { account }) => {
      const { requests: waiting, total } = await account.people.planRequestPage(pageOf(page, PAGE_SIZE));
      const requests = waiting.map(({ account: { id, email, tierName: tier }, tierName: asked, askedAt }) => {
        return { id, email, tier, asked, askedAt };
      });
      return { requests, total, page, pageSize: PAGE_SIZE };
    },
  }),

  forOperator("POST /account/admin/invites", {
    status: 201,
    schema: {
      body: Type.Object({
        email: Type.Optional(EmailField),
        tier: Type.Optional(Type.String({ maxLength: 64, description: "The plan; `free` by default." })),
      }),
      response: AdminLinkSchema,
    },
    handler: async ({ body: { email, tier } }, request) => {
      const { account, accountId: by } = request;
      await account.limits.take([["operator link", by]]);
      const asked = { ...known("email", email), ...known("tierName", tier) };
      const link = await createInvite(account.people, account.accounts, asked, account.now(), by);
      return shownLink(request, "invite", link);
    },
  }),

  forOperator("POST /account/admin/accounts/:id/password-link", {
    status: 201,
    schema: {
      params: IdParams,
      body: Type.Object({ password: PasswordField }),
      response: AdminLinkSchema,
    },
    isHashing: true,
    handler: confirmed(
      ofAccount(async ({ params: { id } }, request) => {
        const { account, accountId: by } = request;
        await account.limits.take([["operator link", by]]);
        return shownLink(
          request,
          "reset",
          await createReset(account.people, account.accounts, id, account.now(), by),
        );
      }),
    ),
  }),

  forOperator("POST /account/admin/accounts/:id/reset-two-factor", {
    schema: { params: IdParams, body: Type.Object({ password: PasswordField }) },
    isHashing: true,
    handler: confirmed(
      ofAccount(({ params: { id } }, { account, accountId: by }) => account.accounts.resetTwoFactor(id, by)),
    ),
  }),
];

/** Puts the secret in the fragment, which browsers do not send to servers. */
function shownLink(
  { publicUrl = "" }: PersonRequest,
  kind: "invite" | "reset",
  { token, expiresAt }: OneTimeLink,
): AdminLink {
  return { link: `${publicUrl}/#${kind}=${token}`, expiresAt };
}

/** Calls a handler only if the account in the path exists. @throws {PersonRefusal} `not-found` if it does not */
export function ofAccount<
  I extends { readonly params: { readonly id: string } },
  V extends PersonRequest,
  Result,
>(handler: (input: I, request: V) => Promise<Result>): (input: I, request: V) => Promise<Result> {
  return async (input, request) => {
    await ifAccountExists(request, input.params.id);
    return handler(input, request);
  };
}

/** Returns the person of an account. @throws {PersonRefusal} `not-found` */
export async function ifAccountExists({ account }: PersonRequest, id: string): Promise<StoredPerson> {
  const person = await account.people.person(id);
  if (person === undefined) throw noSuchAccount();
  return person;
}

export function noSuchAccount(): PersonRefusal {
  return new PersonRefusal("not-found", "there is no account with this id; it may have been deleted");
}

/** Returns the fields of an account that operators see. */
export function operatorAccount(
  { account, isAdmin }: Pick<StoredPerson, "account" | "isAdmin">,
  services: Services,
) {
  const { tierName: tier } = account;
  return { ...account, tier, isAdmin, limit: allowanceOf(services, tier) };
}

/** Returns a plan's monthly tokens; 0 if the table no longer has it. */
export function allowanceOf({ tiers }: Services, tierName: string): number {
  return (Object.hasOwn(tiers, tierName) ? tiers[tierName] : undefined)?.monthlyTokens ?? 0;
}
