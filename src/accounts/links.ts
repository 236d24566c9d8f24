import { TERMINAL } from "../contract/auditKinds.ts";
import type { TokenPurpose } from "../database/schema/people.ts";
import { type Accounts, normalEmail } from "./accounts.ts";
import type { OneTimeToken } from "./people.ts";
import type { PeopleQueries } from "./queries.ts";
import { AccountRefusal } from "./refusal.ts";
import { hashToken, looksLikeToken, newToken } from "./secrets.ts";

const INVITED_FOR_MS = 14 * 24 * 3_600_000;
const RESET_WITHIN_MS = 3_600_000;

/** A secret that works once. */
export interface OneTimeLink {
  /** Returned only here; stored as a hash. */
  readonly token: string;
  /** ISO 8601 UTC */
  readonly expiresAt: string;
}

/**
 * Creates an invite with which one person can sign up: anyone, or only the given address.
 * @throws {AccountRefusal} (the promise) for a bad address or an unknown tier
 */
export async function createInvite(
  store: PeopleQueries,
  accounts: Accounts,
  { email, tierName }: { readonly email?: string; readonly tierName?: string },
  nowMs: number,
  by = TERMINAL,
): Promise<OneTimeLink> {
  if (tierName !== undefined) accounts.checkTier(tierName);
  const link = await storeLink(store, {
    purpose: "invite",
    expiresAtMs: nowMs + INVITED_FOR_MS,
    ...(email !== undefined && { email: normalEmail(email) }),
    ...(tierName !== undefined && { tierName }),
  });
  await accounts.record({ by, what: "invite", ...(tierName !== undefined && { to: tierName }) });
  return link;
}

/**
 * Creates a link that sets a new password for an account.
 * @throws {AccountRefusal} (the promise) if the account does not exist
 */
export async function createReset(
  store: PeopleQueries,
  accounts: Accounts,
  accountId: string,
  nowMs: number,
  by = TERMINAL,
): Promise<OneTimeLink> {
  if ((await store.person(accountId)) === undefined) {
    throw new AccountRefusal('no such account: see "opzoek account list"');
  }
  const link = await storeLink(store, { purpose: "reset", expiresAtMs: nowMs + RESET_WITHIN_MS, accountId });
  await accounts.record({ by, accountId, what: "password link" });
  return link;
}

async function storeLink(store: PeopleQueries, terms: Omit<OneTimeToken, "hash">): Promise<OneTimeLink> {
  const token = newToken();
  await store.addToken({ ...terms, hash: hashToken(token) });
  return { token, expiresAt: new Date(terms.expiresAtMs).toISOString() };
}

/** Returns a presented token; undefined when it is unknown, used or expired. */
export async function shownToken(
  store: PeopleQueries,
  shown: string,
  purpose: TokenPurpose,
  nowMs: number,
): Promise<OneTimeToken | undefined> {
  return looksLikeToken(shown) ? store.token(hashToken(shown), purpose, nowMs) : undefined;
}
