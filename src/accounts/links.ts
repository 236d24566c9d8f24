import { TERMINAL } from "../contract/auditKinds.ts";
import { type Accounts, normalEmail } from "./accounts.ts";
import type { PeopleStore } from "./peopleStore.ts";
import { AccountRefusal } from "./refusal.ts";
import { hashToken, newToken } from "./secrets.ts";

const INVITED_FOR_MS = 14 * 24 * 3_600_000;
const RESET_WITHIN_MS = 3_600_000;

/** A secret that works once: who holds it may do what it is for. */
export interface OneTimeLink {
  /** Shown this once; stored as a hash. */
  readonly token: string;
  /** ISO 8601 UTC */
  readonly expiresAt: string;
}

/**
 * An invite that lets one person sign up: whoever shows it, or the named address only.
 * @throws {AccountRefusal} for a bad address or an unknown tier
 */
export async function makeInvite(
  store: PeopleStore,
  accounts: Accounts,
  { email, tierName }: { readonly email?: string; readonly tierName?: string },
  nowMs: number,
  by = TERMINAL,
): Promise<OneTimeLink> {
  if (tierName !== undefined) accounts.checkTier(tierName);
  const token = newToken();
  const expiresAtMs = nowMs + INVITED_FOR_MS;
  await store.addToken({
    hash: hashToken(token),
    purpose: "invite",
    expiresAtMs,
    ...(email !== undefined && { email: normalEmail(email) }),
    ...(tierName !== undefined && { tierName }),
  });
  await accounts.tell({ by, what: "invite", ...(tierName !== undefined && { to: tierName }) });
  return { token, expiresAt: new Date(expiresAtMs).toISOString() };
}

/**
 * Lets whoever holds it set a new password for an account.
 * @throws {AccountRefusal} when there is no such account
 */
export async function makeReset(
  store: PeopleStore,
  accounts: Accounts,
  accountId: string,
  nowMs: number,
  by = TERMINAL,
): Promise<OneTimeLink> {
  if ((await store.person(accountId)) === undefined) {
    throw new AccountRefusal('there is no such account: "opzoek account list" shows the accounts');
  }
  const token = newToken();
  const expiresAtMs = nowMs + RESET_WITHIN_MS;
  await store.addToken({ hash: hashToken(token), purpose: "reset", expiresAtMs, accountId });
  await accounts.tell({ by, accountId, what: "password link" });
  return { token, expiresAt: new Date(expiresAtMs).toISOString() };
}
