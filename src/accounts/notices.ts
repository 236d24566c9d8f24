import type { Mailer, MailOrder } from "./mails.ts";
import type { StoredPerson } from "./peopleStore.ts";
import type { AddressHashes } from "./secrets.ts";

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
    { account, language }: StoredPerson,
  ): Promise<void> {
    return this.#send({ kind, accountId: account.id, language }, account.email);
  }

  /** Tells the address that an account had until now. */
  tellOldAddress({ account, language }: StoredPerson): Promise<void> {
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
