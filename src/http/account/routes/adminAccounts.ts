import { Type } from "typebox";
import { ApiError } from "../../../contract/errors.ts";
import {
  type AdminAccounts,
  AdminAccountsSchema,
  type AdminPlanRequests,
  AdminPlanRequestsSchema,
  type AdminSuspensions,
  AdminSuspensionsSchema,
} from "../../../contract/operatorResources.ts";
import { monthOf } from "../../../metering/periods.ts";
import { type AccountRoute, forOperator } from "../route.ts";
import { accountThere, allowanceOf, operatorOf, PAGE_SIZE, PageQuery } from "./adminFields.ts";
import { IdParams } from "./fields.ts";

const MOST_SUSPENSIONS = 100;

const suspending = (word: "suspend" | "resume", isSuspended: boolean) =>
  forOperator({
    method: "POST",
    path: `/account/admin/accounts/:id/${word}`,
    status: 204,
    schema: { params: IdParams },
    handler: async ({ params }, visit) => {
      await accountThere(visit, params.id);
      if (isSuspended && params.id === operatorOf(visit)) {
        throw new ApiError("FORBIDDEN", "you cannot suspend your own account; ask another operator to do it");
      }
      await visit.account.accounts.setSuspended(params.id, isSuspended, operatorOf(visit));
    },
  });

/** Accounts as an operator sees and changes them. */
export const accountsRoutes: readonly AccountRoute[] = [
  forOperator({
    method: "GET",
    path: "/account/admin/accounts",
    status: 200,
    schema: {
      querystring: Type.Object({
        q: Type.String({ maxLength: 100, default: "", description: "Part of an address or of an id." }),
        ...PageQuery.properties,
      }),
      response: AdminAccountsSchema,
    },
    handler: async ({ query }, { account, services }): Promise<AdminAccounts> => {
      const { q, page } = query;
      const month = monthOf(account.now());
      const part = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
      const { accounts, total } = await account.people.findAccounts(q.trim(), month, part);
      const results = accounts.map(({ account: found, isAdmin, liveKeys, used }) => ({
        id: found.id,
        email: found.email,
        tier: found.tierName,
        isSuspended: found.isSuspended,
        ...(found.suspendedAt !== undefined && { suspendedAt: found.suspendedAt }),
        isAdmin,
        createdAt: found.createdAt,
        liveKeys,
        used,
        limit: allowanceOf(services, found.tierName),
      }));
      return { results, total, page, pageSize: PAGE_SIZE };
    },
  }),

  forOperator({
    method: "POST",
    path: "/account/admin/accounts/:id/tier",
    status: 204,
    schema: {
      params: IdParams,
      body: Type.Object({ tier: Type.String({ maxLength: 64, description: "The plan." }) }),
    },
    handler: async ({ params, body }, visit) => {
      await accountThere(visit, params.id);
      await visit.account.accounts.setTier(params.id, body.tier, operatorOf(visit));
    },
  }),

  suspending("suspend", true),
  suspending("resume", false),

  forOperator({
    method: "GET",
    path: "/account/admin/suspensions",
    status: 200,
    schema: { response: AdminSuspensionsSchema },
    handler: async (_input, { account }): Promise<AdminSuspensions> => ({
      suspensions: [...(await account.accounts.keptSuspensions(MOST_SUSPENSIONS))],
    }),
  }),

  forOperator({
    method: "GET",
    path: "/account/admin/plan-requests",
    status: 200,
    schema: { querystring: PageQuery, response: AdminPlanRequestsSchema },
    handler: async ({ query: { page } }, { account }): Promise<AdminPlanRequests> => {
      const part = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
      const { requests, total } = await account.people.planRequestPage(part);
      return {
        total,
        page,
        pageSize: PAGE_SIZE,
        requests: requests.map(({ account: { id, email, tierName }, tierName: asked, askedAt }) => ({
          id,
          email,
          tier: tierName,
          asked,
          askedAt,
        })),
      };
    },
  }),
];
