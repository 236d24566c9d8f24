import { quoted } from "../contract/quoting.ts";

/** Why a person is refused. `http` maps each reason to an error code. */
export type RefusalReason =
  /** Nobody may sign up, or only with an invite. */
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
  /** Too many tries; see `retryAfterSeconds`. */
  | "tries"
  /** The account has nothing with this id. */
  | "nothing"
  /** It can be done once and was done already. */
  | "once"
  /** Something it needs is unavailable now. */
  | "away"
  /** Too many requests for expensive work. */
  | "busy";

export type RefusedField = "email" | "password" | "origins" | "dailyTokens";

/** A person is refused. The message is for that person: it says what to do and reveals nothing about other accounts. */
export class PersonRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number | undefined;
  /** The form field that is wrong, if it is one. */
  readonly field: RefusedField | undefined;

  constructor(reason: RefusalReason, message: string, retryAfterSeconds?: number, field?: RefusedField) {
    super(message);
    this.name = "PersonRefusal";
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
  }
}

/** A change of an account is refused. The message says why and what to do. */
export class AccountRefusal extends Error {
  /** The form field that is wrong, if it is one. */
  readonly field: RefusedField | undefined;

  constructor(message: string, field?: RefusedField) {
    super(message);
    this.name = "AccountRefusal";
    this.field = field;
  }
}

/** @param forBrowsers a requested value that only browser keys have */
export function noLiveKey(id: string, forBrowsers?: unknown): AccountRefusal {
  const what = forBrowsers === undefined ? "live key" : "live key for browsers";
  return new AccountRefusal(
    `there is no ${what} ${quoted(id)}: "opzoek key list --account ID" shows the keys`,
  );
}

export function noAccount(id: string): AccountRefusal {
  return new AccountRefusal(`there is no account ${quoted(id)}: "opzoek account list" shows the accounts`);
}
