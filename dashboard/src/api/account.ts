/** The account API of the page, `/account/…`: one function per route. */

import type {
  AccountCalls,
  AccountUsage,
  Language,
  NextStep,
  OpenSessions,
  Plans,
  SessionState,
  UsageMonths,
  UsageRange,
} from "../../../src/contract/accountResources.ts";
import type { KeyKind } from "../../../src/contract/keyKinds.ts";
import type { AccountKeys, NewAccountKey } from "../../../src/contract/keyResources.ts";
import type { Offer, ServiceStatus, Suggestions } from "../../../src/contract/publicResources.ts";
import type {
  RecoveryCodes,
  TwoFactorSecret,
  TwoFactorState,
} from "../../../src/contract/twoFactorResources.ts";
import { failureOf } from "./failure.ts";
import { readAny, send } from "./request.ts";

export const readSession = () => send<SessionState>("GET", "/account/session");

export interface SignUpRequest {
  readonly email: string;
  readonly password: string;
  readonly invite?: string;
  readonly language: Language;
}
export const signUp = (body: SignUpRequest) => send<NextStep>("POST", "/account/sign-up", body);
export const signIn = (email: string, password: string, code?: string) =>
  send<SessionState>("POST", "/account/sign-in", {
    email,
    password,
    ...(code !== undefined && { code }),
  });
export const confirm = (token: string, password: string) =>
  send<SessionState>("POST", "/account/confirm", { token, password });
export const signOut = () => send<void>("POST", "/account/sign-out", {});
export const requestReset = (email: string) =>
  send<NextStep>("POST", "/account/password/reset-request", { email });
export const resetPassword = (token: string, password: string) =>
  send<void>("POST", "/account/password/reset", { token, password });

export const changePassword = (oldPassword: string, newPassword: string) =>
  send<void>("POST", "/account/password", { oldPassword, newPassword });
export const readSessions = () => send<OpenSessions>("GET", "/account/sessions");
export const endSession = (id: string) => send<void>("DELETE", `/account/sessions/${id}`);
export const deleteAccount = (password: string) => send<void>("POST", "/account/delete", { password });

export const requestEmailChange = (email: string, password: string) =>
  send<NextStep>("POST", "/account/email", { email, password });
export const confirmEmail = (token: string, password: string) =>
  send<void>("POST", "/account/email/confirm", { token, password });
export const setAllowanceMails = (areWanted: boolean) =>
  send<void>("POST", "/account/allowance-mails", { areWanted });
/** The URL of the download of all stored account data. */
export const EXPORT = "/account/export";

export const readKeys = (page: number) => send<AccountKeys>("GET", `/account/keys?page=${page}`);
export interface KeyChange {
  readonly name: string;
  /** A day, or `never`; unchanged when absent. */
  readonly expiresAt?: string;
  readonly addresses: readonly string[];
  readonly origins?: readonly string[];
  readonly dailyTokens?: number;
  readonly mayLookUp?: boolean;
}
export const makeKey = (key: KeyChange & { readonly kind: KeyKind }) =>
  send<NewAccountKey>("POST", "/account/keys", key);
export const changeKey = (id: string, change: KeyChange) => send<void>("POST", `/account/keys/${id}`, change);
export const takeFirstKey = () => send<NewAccountKey>("POST", "/account/first-key", {});
export const revokeKey = (id: string) => send<void>("DELETE", `/account/keys/${id}`);
export const rollKey = (id: string, overlapHours: number) =>
  send<NewAccountKey>("POST", `/account/keys/${id}/roll`, { overlapHours });

/** Filters of the list of calls; an empty text matches all. */
export interface CallQuery {
  readonly key: string;
  readonly status: string;
  readonly operation: string;
  readonly page: number;
}
export const readCalls = (query: CallQuery) => send<AccountCalls>("GET", `/account/calls?${queryOf(query)}`);

/** Returns a query string without the parameters that are empty. */
export function queryOf(parameters: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== "") query.set(name, String(value));
  return query;
}

export const readUsage = () => send<AccountUsage>("GET", "/account/usage");
export const readRange = (from: string, to: string, key: string) =>
  send<UsageRange>("GET", `/account/usage/range?${queryOf({ from, to, key })}`);
export const readMonths = () => send<UsageMonths>("GET", "/account/usage/months");
/** Reads a month's ledger as CSV. @throws {Failure} (the promise) */
export async function readUsageFile(month: string): Promise<string> {
  const { status, text, body } = await readAny(`/account/usage.csv?month=${month}`);
  if (status !== 200) throw failureOf(status, body);
  return text;
}

export const readPlans = () => send<Plans>("GET", "/account/plans");
export const requestPlan = (tier: string) => send<Plans>("POST", "/account/plans/request", { tier });
export const withdrawPlanRequest = () => send<void>("DELETE", "/account/plans/request");

const TWO_FACTOR = "/account/two-factor";

export const readTwoFactor = () => send<TwoFactorState>("GET", TWO_FACTOR);
export const beginTwoFactor = (password: string) =>
  send<TwoFactorSecret>("POST", `${TWO_FACTOR}/begin`, { password });
export const turnOnTwoFactor = (code: string) =>
  send<RecoveryCodes>("POST", `${TWO_FACTOR}/turn-on`, { code });
export const renewRecoveryCodes = (password: string, code: string) =>
  send<RecoveryCodes>("POST", `${TWO_FACTOR}/recovery-codes`, { password, code });
export const turnOffTwoFactor = (password: string, code: string) =>
  send<void>("POST", `${TWO_FACTOR}/turn-off`, { password, code });

export const readStatus = () => send<ServiceStatus>("GET", "/account/status");
export const readOffer = () => send<Offer>("GET", "/account/offer");
export const suggest = (q: string) =>
  send<Suggestions>("GET", `/account/suggestions?${new URLSearchParams({ q })}`);
