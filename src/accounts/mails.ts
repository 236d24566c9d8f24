import type { Language } from "../contract/accountResources.ts";
import type { AllowancePercent } from "../contract/accountRules.ts";
import type { AddressHashes } from "./secrets.ts";
import type { Account } from "./store.ts";

/**
 * A mail to a person. `confirm`: somebody signed up with this address · `taken`: the same, and it has an account ·
 * `reset`: somebody wants to set a new password · `changed`: the password was changed ·
 * `email`: somebody who is signed in wants this address · `email-taken`: the same, and it has an account · `email-changed`: to the address
 * that an account had before ·
 * `two-factor-on`, `two-factor-off`: two-factor sign-in was turned on, off ·
 * `allowance-80`, `allowance-100`: so many percent of a month's allowance are used.
 */
export type Mail = { readonly to: string; readonly language: Language } & (
  | { readonly kind: "confirm" | "reset" | "email"; readonly token: string }
  | ({ readonly kind: AllowanceMailKind } & OfAllowance)
  | { readonly kind: PlainMailKind | "email-changed" }
);

type PlainMailKind = "taken" | "changed" | "email-taken" | "two-factor-on" | "two-factor-off";
type AllowanceMailKind = `allowance-${AllowancePercent}`;

/** Which allowance such a mail is about. */
interface OfAllowance {
  /** As `periods.ts` counts. */
  readonly month: number;
  readonly tokens: number;
}

/** What has to be known of a mail to write it later: never a link, which is made when it is sent. */
export type MailOrder = { readonly language: Language } & (
  | {
      readonly kind: "confirm";
      readonly email: string;
      readonly tierName: string;
      readonly passwordHash: string;
      readonly inviteHash?: string;
    }
  | {
      readonly kind: "email" | "email-changed";
      readonly accountId: string;
      /** Where it goes, which is not the account's address. */
      readonly email: string;
    }
  | {
      readonly kind: PlainMailKind | "reset";
      /** Absent where there is no account: the order is kept and dropped like any other, so that nothing shows the difference. */
      readonly accountId?: string;
    }
  | AllowanceOrder
);
/** A mail that is kept once for each account, month, allowance and kind, whoever orders it. */
export type AllowanceOrder = {
  readonly language: Language;
  readonly kind: AllowanceMailKind;
  readonly accountId: string;
} & OfAllowance;
export type MailKind = MailOrder["kind"];

const HOUR_MS = 3_600_000;

/** For so long a link works from when it is sent, and a mail waits at most. */
export function mailLifeMs(kind: MailKind): number {
  return kind === "reset" || kind === "email" ? HOUR_MS : 24 * HOUR_MS;
}

/** Sends mails, without telling how it went: an answer must not show whether there was one. */
export interface Mailer {
  /**
   * Keeps the order before it returns; the mail is sent afterwards, also when the process ends in between.
   * @param emailHash of the address that it goes to, known or not
   */
  send(order: MailOrder, emailHash: string): Promise<void>;
  /** The same, unless it was kept before. Where too many mails wait nothing is done, so that it can be ordered again. */
  sendOnce(order: AllowanceOrder, emailHash: string): Promise<void>;
}

export interface MailBounds {
  readonly mostWaiting: number;
  readonly mostToOneAddress: number;
}

/** What a claim of a mail needs. */
export interface MailClaim {
  /** The mail is this claim's alone for so long, by the store's clock. */
  readonly leaseMs: number;
  /** No mail is put off for longer: one that is due later was put off by a clock that was ahead. */
  readonly longestPauseMs: number;
  /** Hash of the secret that its link will hold. */
  readonly tokenHash: string;
}

export type ClaimedMail =
  | {
      readonly outcome: "send";
      readonly id: string;
      /** Which claim it is: only the latest may end the mail or put it off. */
      readonly claim: number;
      /** How often the mail server did not take it. */
      readonly failures: number;
      readonly kind: MailKind;
      readonly to: string;
      readonly language: Language;
      /** Of a mail about an allowance. */
      readonly allowance?: OfAllowance;
    }
  /**
   * It waits no more. `nobody`: there is no such account · `old`: its link would be over · `died`: it was begun twice and nobody told how
   * it went, as a process ended or the mail server took longer than a minute.
   */
  | { readonly outcome: "dropped"; readonly why: "nobody" | "old" | "died" };

/** The mails that wait, for any number of processes. Moments and pauses are by the store's own clock. */
export interface MailStore {
  /** False when too many wait, in all or for this address. */
  addMail(
    order: MailOrder & { readonly id: string },
    emailHash: string,
    bounds: MailBounds,
  ): Promise<boolean>;
  /** Keeps a mail and, in the same transaction, that it was: `told` when it had been before, `full` as for {@link addMail}. */
  addOnce(
    order: AllowanceOrder & { readonly id: string },
    emailHash: string,
    bounds: MailBounds,
  ): Promise<"added" | "told" | "full">;
  /**
   * Gives a mail that is due to one of all who ask. Where it has a link, the one that was made for an earlier try is void from now on
   * and the new one works. Undefined when none is due.
   */
  claimMail(claim: MailClaim): Promise<ClaimedMail | undefined>;
  /** It was sent, or never can be. Nothing is done when somebody else has claimed it since. */
  endMail(id: string, claim: number): Promise<void>;
  /** The mail server did not take it: it is due again after a pause. */
  deferMail(id: string, claim: number, pauseMs: number): Promise<void>;
  /** How many wait. */
  waitingMails(): Promise<number>;
}

/** Of an account and its owner, as much as a mail needs. */
interface MailedPerson {
  readonly account: Account;
  readonly language: Language;
}

/** Mails that tell the owner of an account what was done with it. Whether one can be sent changes nothing of that. */
export class Notices {
  readonly #mailer: Mailer | undefined;
  readonly #addresses: AddressHashes;
  readonly #onError: (error: unknown) => void;

  constructor(mailer: Mailer | undefined, addresses: AddressHashes, onError: (error: unknown) => void) {
    this.#mailer = mailer;
    this.#addresses = addresses;
    this.#onError = onError;
  }

  tell(
    kind: "changed" | "two-factor-on" | "two-factor-off",
    { account, language }: MailedPerson,
  ): Promise<void> {
    return this.#send({ kind, accountId: account.id, language }, account.email);
  }

  /** Tells the address that an account had until now. */
  tellOldAddress({ account, language }: MailedPerson): Promise<void> {
    const { id, email } = account;
    return this.#send({ kind: "email-changed", accountId: id, email, language }, email);
  }

  async #send(order: MailOrder, email: string): Promise<void> {
    try {
      await this.#mailer?.send(order, await this.#addresses.of(email));
    } catch (error) {
      this.#onError(error);
    }
  }
}
