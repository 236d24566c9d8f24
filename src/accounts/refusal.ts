import { quoted } from "../contract/quoting.ts";

/** The reason for refusing a person. `http` maps each reason to an error code. */
export type RefusalReason =
  /** Signing up is closed, or needs an invite. */
  | "signup"
  /** Invalid input: a weak password, an unknown plan. */
  | "input"
  /** Wrong address or password; the same for every cause. */
  | "credentials"
  /** The password for confirming a change is wrong. */
  | "password"
  /** The two-factor code is wrong or was used. */
  | "code"
  /** The link is unknown, used or expired. */
  | "token"
  /** Too many attempts; see `retryAfterSeconds`. */
  | "tries"
  /** The account has nothing with this id. */
  | "not-found"
  /** It can be done once and was already done. */
  | "once"
  /** Something it needs is unavailable now. */
  | "away"
  /** Too many requests for expensive work. */
  | "busy";

export type RefusedField = "email" | "password" | "origins" | "dailyTokens";

/**
 * A refusal of a person. The message is for that person: it contains the remedy and reveals nothing about other
 * accounts.
 */
export class PersonRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number | undefined;
  /** The invalid form field, if it is one. */
  readonly field: RefusedField | undefined;

  constructor(reason: RefusalReason, message: string, retryAfterSeconds?: number, field?: RefusedField) {
    super(message);
    this.name = "PersonRefusal";
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
  }
}

/** A refusal to change an account. The message contains the reason and the remedy. */
export class AccountRefusal extends Error {
  /** The invalid form field, if it is one. */
  readonly field: RefusedField | undefined;

  constructor(message: string, field?: RefusedField) {
    super(message);
    this.name = "AccountRefusal";
    this.field = field;
  }
}

/** @param forBrowsers a requested value that only browser keys have */
export function noLiveKey(id: string, forBrowsers?: unknown): AccountRefusal {
  const what = forBrowsers === undefined ? "live key" : "live browser key";
  return new AccountRefusal(`no ${what} ${quoted(id)}: see "opzoek key list --account ID"`);
}

export function noAccount(id: string): AccountRefusal {
  return new AccountRefusal(`no account ${quoted(id)}: see "opzoek account list"`);
}
