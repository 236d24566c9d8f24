import { randomUUID } from "node:crypto";
import type { AllowanceOrder, Mailer, MailOrder, MailStore } from "../accounts/mails.ts";
import { POOLS } from "../contract/pools.ts";

const BOUNDS = { mostWaiting: POOLS.waitingMails.places, mostToOneAddress: POOLS.waitingMails.perAccount };

export interface MailOrdersParts {
  readonly store: Pick<MailStore, "addMail" | "addOnce">;
  /** Tells whoever sends mails that one waits. */
  readonly nudge: () => void;
  /** Told when a mail was given up. It holds neither an address nor a link. */
  readonly onLost: (reason: string) => void;
}

/** Puts mails into the state, from where the outbox of this process or another one sends them. */
export class MailOrders implements Mailer {
  readonly #parts: MailOrdersParts;

  constructor(parts: MailOrdersParts) {
    this.#parts = parts;
  }

  async send(order: MailOrder, emailHash: string): Promise<void> {
    const { store, nudge, onLost } = this.#parts;
    const isKept = await store.addMail({ id: randomUUID(), ...order }, emailHash, BOUNDS);
    if (isKept) nudge();
    else onLost("too many mails wait for the mail server");
  }

  async sendOnce(order: AllowanceOrder, emailHash: string): Promise<void> {
    const { store, nudge } = this.#parts;
    const outcome = await store.addOnce({ id: randomUUID(), ...order }, emailHash, BOUNDS);
    if (outcome === "added") nudge();
  }
}
