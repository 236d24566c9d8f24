/** The operator API, `/account/admin/…`. */
import type { AccountCalls } from "../../../src/contract/accountResources.ts";
import type { AccountKeys } from "../../../src/contract/keyResources.ts";
import type {
  AdminAccount,
  AdminAudit,
  AdminLink,
  AdminUsage,
} from "../../../src/contract/oneAccountResources.ts";
import type {
  AdminAccounts,
  AdminPlanRequests,
  AdminRegistry,
  AdminSuspensions,
  AdminTraffic,
  AdminUpstreams,
} from "../../../src/contract/operatorResources.ts";
import { type CallQuery, queryOf } from "./account.ts";
import { send } from "./request.ts";

export const readAccounts = (q: string, page: number) =>
  send<AdminAccounts>("GET", `/account/admin/accounts?${queryOf({ q, page })}`);
export const givePlan = (id: string, tier: string) =>
  send<void>("POST", `/account/admin/accounts/${id}/tier`, { tier });
export const suspend = (id: string) => send<void>("POST", `/account/admin/accounts/${id}/suspend`, {});
export const resume = (id: string) => send<void>("POST", `/account/admin/accounts/${id}/resume`, {});
export const readSuspensions = () => send<AdminSuspensions>("GET", "/account/admin/suspensions");
export const readTraffic = () => send<AdminTraffic>("GET", "/account/admin/traffic");
export const readUpstreams = () => send<AdminUpstreams>("GET", "/account/admin/upstreams");
export const readRegistry = () => send<AdminRegistry>("GET", "/account/admin/registry");
export const readPlanRequests = (page: number) =>
  send<AdminPlanRequests>("GET", `/account/admin/plan-requests?page=${page}`);

const oneAccount = (id: string) => `/account/admin/accounts/${encodeURIComponent(id)}`;
export const readAccount = (id: string) => send<AdminAccount>("GET", oneAccount(id));
export const readKeysOf = (id: string, page: number) =>
  send<AccountKeys>("GET", `${oneAccount(id)}/keys?page=${page}`);
export const readCallsOf = (id: string, query: CallQuery) =>
  send<AccountCalls>("GET", `${oneAccount(id)}/calls?${queryOf(query)}`);
export const readUsageOf = (id: string, month: string) =>
  send<AdminUsage>("GET", `${oneAccount(id)}/usage?${queryOf({ month })}`);
/** @param basedOn the version of the note that was edited */
export const setNote = (id: string, text: string, basedOn: number) =>
  send<AdminAccount>("POST", `${oneAccount(id)}/note`, { text, basedOn });
export const endSessions = (id: string) => send<AdminAccount>("POST", `${oneAccount(id)}/sign-out`, {});
/** @param password the operator's own */
export const makePasswordLink = (id: string, password: string) =>
  send<AdminLink>("POST", `${oneAccount(id)}/password-link`, { password });
/** @param password the operator's own */
export const resetTwoFactor = (id: string, password: string) =>
  send<void>("POST", `${oneAccount(id)}/reset-two-factor`, { password });
export const makeInvite = (email: string, tier: string) =>
  send<AdminLink>("POST", "/account/admin/invites", { tier, ...(email !== "" && { email }) });

/** Filters of the audit log; an empty text matches all. */
export interface AuditQuery {
  readonly account: string;
  readonly kind: string;
  readonly page: number;
}
export const readAudit = (query: AuditQuery) =>
  send<AdminAudit>("GET", `/account/admin/audit?${queryOf(query)}`);
