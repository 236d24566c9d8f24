import { randomUUID } from "node:crypto";
import { POOLS } from "../../contract/pools.ts";
import type { MailQueries } from "../queries/mails.ts";
import type { Mailer, MailOrder, OnceOrder } from "./mails.ts";

const BOUNDS = { maxWaiting: POOLS.waitingMails.slots, maxToOneAddress: POOLS.waitingMails.perAccount };

export interface MailOrdersParts {
  readonly store: Pick<MailQueries, "addMail" | "addOnce">;
  /** Called when a mail was added. */
  readonly nudge: () => void;
  /** Called when a mail is dropped. The reason contains neither an address nor a link. */
  readonly onLost: (reason: string) => void;
}

/** Adds mails to the state, from which the outbox of this or another process sends them. */
export class MailOrders implements Mailer {
  readonly #parts: MailOrdersParts;

  constructor(parts: MailOrdersParts) {
    this.#parts = parts;
  }

  async send(order: MailOrder, emailHash: string): Promise<void> {
    const { store, nudge, onLost } = this.#parts;
    const isStored = await store.addMail({ id: randomUUID(), ...order }, emailHash, BOUNDS);
    if (isStored) nudge();
    else onLost("too many mails wait for the mail server");
  }

  async sendOnce(order: OnceOrder, emailHash: string): Promise<void> {
    const { store, nudge } = this.#parts;
    const outcome = await store.addOnce({ id: randomUUID(), ...order }, emailHash, BOUNDS);
    if (outcome === "added") nudge();
  }
}
