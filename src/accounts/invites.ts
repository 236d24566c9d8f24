import type { Accounts } from "./accounts.ts";
import { normalEmail } from "./accounts.ts";
import type { PeopleStore } from "./peopleStore.ts";
import { hashToken, newToken } from "./secrets.ts";

const INVITED_FOR_MS = 14 * 24 * 3_600_000;

export interface Invite {
  /** Shown this once; stored as a hash. */
  readonly token: string;
  /** ISO 8601 UTC */
  readonly expiresAt: string;
}

/**
 * An invite that lets one person sign up: whoever shows it, or the named address only.
 * @throws {AccountRefusal} for a bad address or an unknown tier
 */
export async function invite(
  store: PeopleStore,
  accounts: Accounts,
  { email, tierName }: { readonly email?: string; readonly tierName?: string },
  nowMs: number,
): Promise<Invite> {
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
  return { token, expiresAt: new Date(expiresAtMs).toISOString() };
}
