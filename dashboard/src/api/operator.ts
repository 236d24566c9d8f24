/** What an operator sees and does, `/account/admin/…`. */
import type {
  AdminAccounts,
  AdminPlanRequests,
  AdminRegistry,
  AdminSuspensions,
  AdminTraffic,
  AdminUpstreams,
} from "../../../src/contract/operatorResources.ts";
import { send } from "./request.ts";

export const readAccounts = (q: string, page: number) =>
  send<AdminAccounts>(
    "GET",
    `/account/admin/accounts?${new URLSearchParams({ ...(q === "" ? {} : { q }), page: String(page) })}`,
  );
export const givePlan = (id: string, tier: string) =>
  send<void>("POST", `/account/admin/accounts/${id}/tier`, { tier });
export const suspend = (id: string) => send<void>("POST", `/account/admin/accounts/${id}/suspend`, {});
export const resume = (id: string) => send<void>("POST", `/account/admin/accounts/${id}/resume`, {});
export const readSuspensions = () => send<AdminSuspensions>("GET", "/account/admin/suspensions");
export const readTraffic = () => send<AdminTraffic>("GET", "/account/admin/traffic");
export const readUpstreams = () => send<AdminUpstreams>("GET", "/account/admin/upstreams");
export const readRegistry = () => send<AdminRegistry>("GET", "/account/admin/registry");
export const readPlanRequests = () => send<AdminPlanRequests>("GET", "/account/admin/plan-requests");
