import { quoted } from "../contract/quoting.ts";

/** Why a person is refused: `http` gives each its error code. */
export type RefusalReason =
  /** Nobody may sign up, or only with an invite. */
  | "signup"
  /** What was sent cannot be taken: a password that breaks the rule, a plan that does not exist. */
  | "input"
  /** Address and password do not belong together; the same for every cause. */
  | "credentials"
  /** The password that confirms a change is wrong. */
  | "password"
  /** The code of two-factor sign-in is wrong, or was used. */
  | "code"
  /** A link that was used, has expired or never was. */
  | "token"
  /** Too many tries; `retryAfterSeconds` tells when to go on. */
  | "tries"
  /** There is nothing of the account's own with this id. */
  | "nothing"
  /** It was done already and is done once. */
  | "once"
  /** What it needs cannot be had now: says nothing of whether it would be granted. */
  | "away"
  /** Too many ask for something that takes work. */
  | "busy";

export type RefusedField = "email" | "password" | "origins" | "dailyTokens";

/** A person is refused. The message is for that person: it says what to do and tells nothing of other accounts. */
export class PersonRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number | undefined;
  /** Which field of a form is meant, where it is one. */
  readonly field: RefusedField | undefined;

  constructor(reason: RefusalReason, message: string, retryAfterSeconds?: number, field?: RefusedField) {
    super(message);
    this.name = "PersonRefusal";
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
  }
}

/** What was asked of an account cannot be done; the message says why and what to do. */
export class AccountRefusal extends Error {
  /** Which field of a form is meant, where it is one. */
  readonly field: RefusedField | undefined;

  constructor(message: string, field?: RefusedField) {
    super(message);
    this.name = "AccountRefusal";
    this.field = field;
  }
}

/** @param forBrowsers what was asked of it that only a key for browsers has, if anything */
export function noLiveKey(id: string, forBrowsers?: unknown): AccountRefusal {
  const what = forBrowsers === undefined ? "live key" : "live key for browsers";
  return new AccountRefusal(
    `there is no ${what} ${quoted(id)}: "opzoek key list --account ID" shows the keys`,
  );
}

export function noAccount(id: string): AccountRefusal {
  return new AccountRefusal(`there is no account ${quoted(id)}: "opzoek account list" shows the accounts`);
}
