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
  /** A link that was used, has expired or never was. */
  | "token"
  /** Too many tries; `retryAfterSeconds` tells when to go on. */
  | "tries"
  /** There is nothing of the account's own with this id. */
  | "nothing"
  /** It was done already and is done once. */
  | "once"
  /** Too many ask for something that takes work. */
  | "busy";

/** A person is refused. The message is for that person: it says what to do and tells nothing of other accounts. */
export class PersonRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: RefusalReason, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = "PersonRefusal";
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
