import { randomUUID } from "node:crypto";
import type { Language } from "../../contract/accountResources.ts";
import { POOLS } from "../../contract/pools.ts";
import type { MailQueries } from "../queries/mails.ts";
import type { AddressHashes } from "../secrets.ts";
import type { Account } from "../stored.ts";
import type { MailOrder, OnceOrder } from "./mails.ts";

const BOUNDS = { maxWaiting: POOLS.waitingMails.slots, maxToOneAddress: POOLS.waitingMails.perAccount };

export interface MailerParts {
  readonly store: Pick<MailQueries, "addMail" | "addOnce">;
  /** Called when a mail was added. */
  readonly nudge: () => void;
  /** Called when a mail is dropped. The reason contains neither an address nor a link. */
  readonly onLost: (reason: string) => void;
}

/**
 * Adds mails to the state, from which the outbox of this or another process sends them. Reports no outcome, because a
 * response must not show whether there was a mail.
 */
export class Mailer {
  readonly #parts: MailerParts;

  constructor(parts: MailerParts) {
    this.#parts = parts;
  }

  /**
   * Stores the mail before it returns. It is sent later, even if the process ends in between.
   * @param emailHash of the recipient, whether it has an account or not
   */
  async send(order: MailOrder, emailHash: string): Promise<void> {
    const { store, nudge, onLost } = this.#parts;
    const isStored = await store.addMail({ id: randomUUID(), ...order }, emailHash, BOUNDS);
    if (isStored) nudge();
    else onLost("too many mails wait for the mail server");
  }

  /**
   * Stores the mail unless it was stored before. If too many mails are waiting, nothing is stored and it can be
   * requested again.
   */
  async sendOnce(order: OnceOrder, emailHash: string): Promise<void> {
    const { store, nudge } = this.#parts;
    const outcome = await store.addOnce({ id: randomUUID(), ...order }, emailHash, BOUNDS);
    if (outcome === "added") nudge();
  }
}

/**
 * Mails an owner about a change to the account; `email-changed` goes to its previous address. A failed mail does not
 * affect the change.
 */
export type Notify = (
  kind: "changed" | "two-factor-on" | "two-factor-off" | "email-changed",
  person: { readonly account: Account; readonly language: Language },
) => Promise<void>;

/** @param onError called when a mail cannot be stored */
export function notifying(
  mailer: Mailer | undefined,
  addresses: AddressHashes,
  onError: (error: unknown) => void,
): Notify {
  return async (kind, { account: { id, email }, language }) => {
    const about = { accountId: id, language };
    try {
      const order = kind === "email-changed" ? { kind, email, ...about } : { kind, ...about };
      await mailer?.send(order, await addresses.of(email));
    } catch (error) {
      onError(error);
    }
  };
}
