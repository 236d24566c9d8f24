import type { Language } from "../../contract/accountResources.ts";
import type {
  AllowanceMailKind,
  DigestMailKind,
  MailKind,
  MonitorMailKind,
  PlainMailKind,
} from "../../database/schema/people.ts";

/**
 * A mail to a person. `confirm`: a sign-up with this address. `taken`: a sign-up with an address that has an account.
 * `reset`: a password link. `changed`: the password was changed. `email`: an account wants to change to this address.
 * `email-taken`: the same, but the address has an account. `email-changed`: to the previous address of an account.
 * `two-factor-on`, `two-factor-off`: two-factor sign-in was turned on or off. `allowance-80`, `allowance-100`: this
 * percentage of a month's allowance is used. `webhook-disabled`: a webhook of monitors was disabled. `changes-wait`:
 * changes of monitored companies wait for tokens. `monitor-digest`: events of monitors were recorded in the last week.
 */
export type Mail = { readonly to: string; readonly language: Language } & (
  | { readonly kind: "confirm" | "reset" | "email"; readonly token: string }
  | ({ readonly kind: AllowanceMailKind } & OfAllowance)
  | { readonly kind: DigestMailKind; readonly events: number }
  | { readonly kind: PlainMailKind | "email-changed" | MonitorMailKind }
);

/** The allowance that a mail is about. */
interface OfAllowance {
  /** As in `periods.ts`. */
  readonly month: number;
  readonly tokens: number;
}

/** The data to write a mail later. Contains no link: links are created when the mail is sent. */
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
      /** The recipient, which is not the account's address. */
      readonly email: string;
    }
  | {
      readonly kind: PlainMailKind | "reset";
      /**
       * Absent if there is no account. The mail is then stored and dropped like any other, so that the difference does
       * not show.
       */
      readonly accountId?: string;
    }
  | AllowanceOrder
  | MonitorOrder
  | DigestOrder
);
/** A mail that is stored once per account, month, allowance and kind. */
export type AllowanceOrder = {
  readonly language: Language;
  readonly kind: AllowanceMailKind;
  readonly accountId: string;
} & OfAllowance;
/**
 * A mail that is stored once for the webhooks of an account that are disabled, or while its changes wait for tokens.
 */
export interface MonitorOrder {
  readonly language: Language;
  readonly kind: MonitorMailKind;
  readonly accountId: string;
}
/** A mail that is stored at most once a week for an account. */
export interface DigestOrder {
  readonly language: Language;
  readonly kind: DigestMailKind;
  readonly accountId: string;
  /** The number of events. It names no company, so that nothing about one has to be removed from it. */
  readonly events: number;
}
/** A mail that is stored once. */
export type OnceOrder = AllowanceOrder | MonitorOrder | DigestOrder;

const HOUR_MS = 3_600_000;

/** Returns how long a mail may wait, and how long its link works. */
export function mailLifeMs(kind: MailKind): number {
  return kind === "reset" || kind === "email" ? HOUR_MS : 24 * HOUR_MS;
}

export interface MailBounds {
  readonly maxWaiting: number;
  readonly maxToOneAddress: number;
}

/** The terms of a claim. */
export interface MailClaim {
  /** How long the claim lasts, measured by the store's clock. */
  readonly leaseMs: number;
  /** Hash of the secret in its link. */
  readonly tokenHash: string;
}

export type ClaimedMail =
  | {
      readonly outcome: "send";
      readonly id: string;
      /** Number of the claim: only the latest may end or postpone the mail. */
      readonly claim: number;
      /** How often the mail server rejected it. */
      readonly failures: number;
      readonly kind: MailKind;
      readonly to: string;
      readonly language: Language;
      /** Set for a mail about an allowance. */
      readonly allowance?: OfAllowance;
      /** Set for a mail about events. */
      readonly events?: number;
    }
  /**
   * A mail was dropped. `no-account`: there is no such account. `old`: its link would have expired. `died`: two
   * attempts ended without an outcome, because the process ended or the mail server took longer than a minute.
   */
  | { readonly outcome: "dropped"; readonly why: "no-account" | "old" | "died" };
