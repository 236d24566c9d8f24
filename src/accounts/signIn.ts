import type { NextStep } from "../contract/accountResources.ts";
import { comparedAddress } from "../contract/emailAddress.ts";
import type { TryLimits } from "./attempts.ts";
import { makeReset } from "./links.ts";
import type { Mailer } from "./mails.ts";
import { checkPassword } from "./passwordRule.ts";
import type { Passwords } from "./passwords.ts";
import type { PeopleStore, StoredPerson } from "./peopleStore.ts";
import { PersonRefusal } from "./refusal.ts";
import { type AddressHashes, hashToken, looksLikeToken } from "./secrets.ts";
import type { Opened, Sessions, SignedIn } from "./sessions.ts";

export interface SignInParts {
  readonly store: PeopleStore;
  readonly passwords: Passwords;
  readonly limits: TryLimits;
  readonly sessions: Sessions;
  readonly addresses: AddressHashes;
  readonly mailer: Mailer | undefined;
  readonly now: () => number;
  /** Told of what went wrong after the answer had left. */
  readonly onError: (error: unknown) => void;
}

/** Passwords: coming in with one, changing and resetting it. Nothing here tells whether an address has an account. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /**
   * @param address of the client, for the limit of tries
   * @throws {PersonRefusal} credentials (one answer for every cause), tries, busy
   */
  async signIn(
    { email, password }: { readonly email: string; readonly password: string },
    client: string | undefined,
    address: string,
  ): Promise<Opened> {
    const { sessions, limits } = this.#parts;
    const person = await this.#verified(email, password, address, () => this.#personOf(email), wrong);
    const { passwordHash } = person;
    await limits.giveBack("sign-in address", address);
    const opened =
      passwordHash === undefined ? undefined : await sessions.open(person.account.id, passwordHash, client);
    if (opened === undefined) throw wrong();
    return opened;
  }

  /** Ends every session and opens another in the place of this one. @throws {PersonRefusal} password, input, tries, busy */
  async changePassword(
    { person }: SignedIn,
    { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
    client: string | undefined,
    address: string,
  ): Promise<Opened> {
    const { store, passwords, sessions, mailer } = this.#parts;
    const { id, email } = person.account;
    await this.confirmWith(person, oldPassword, address);
    await checkPassword(newPassword, email);
    const passwordHash = await passwords.hash(newPassword);
    const isSet = await store.setPassword(id, passwordHash);
    const opened = isSet ? await sessions.open(id, passwordHash, client) : undefined;
    if (opened === undefined) throw wrong();
    mailer?.send({ kind: "changed", to: email, language: person.language });
    return opened;
  }

  /** Asks for the password once more, before what cannot be undone. @throws {PersonRefusal} password, tries, busy */
  async confirmWith({ account }: StoredPerson, password: string, address: string): Promise<void> {
    const { store, limits } = this.#parts;
    const refusal = () => new PersonRefusal("password", "this is not your password");
    await this.#verified(account.email, password, address, () => store.person(account.id), refusal);
    await limits.giveBack("sign-in address", address);
  }

  /** Sends a link to set a new password, if there is such an account; the work is done after the answer. */
  async requestReset(email: string, address: string): Promise<NextStep> {
    const { limits, mailer } = this.#parts;
    if (mailer === undefined) return { next: "operator" };
    await limits.take([["mail address", address]]);
    this.#sendReset(email, mailer).catch(this.#parts.onError);
    return { next: "mail" };
  }

  /** Sets a new password with a link; every session ends. @throws {PersonRefusal} token, input, busy */
  async reset({ token, password }: { readonly token: string; readonly password: string }): Promise<void> {
    const { store, passwords, limits, addresses, mailer, now } = this.#parts;
    const hash = looksLikeToken(token) ? hashToken(token) : "";
    const found = await store.token(hash, "reset", now());
    const person = found?.accountId === undefined ? undefined : await store.person(found.accountId);
    if (person === undefined) throw badLink();
    const { id, email } = person.account;
    await checkPassword(password, email);
    const passwordHash = await passwords.hash(password);
    if ((await store.takeToken(hash, "reset", now())) === undefined) throw badLink();
    if (!(await store.setPassword(id, passwordHash))) throw badLink();
    await limits.clear("sign-in account", await addresses.of(email));
    mailer?.send({ kind: "changed", to: email, language: person.language });
  }

  /** Counts the try, does the same work whoever it is, and gives who it is or throws. */
  async #verified(
    email: string,
    password: string,
    address: string,
    find: () => Promise<StoredPerson | undefined>,
    refusal: () => PersonRefusal,
  ): Promise<StoredPerson> {
    const { passwords, limits, addresses } = this.#parts;
    const subject = await addresses.of(email);
    await limits.take([
      ["sign-in address", address],
      ["sign-in account", subject],
    ]);
    const person = await find();
    const isRight = await passwords.verify(password, person?.passwordHash);
    if (person === undefined || !isRight) throw refusal();
    await limits.clear("sign-in account", subject);
    return person;
  }

  /** Whose address it is. One that is no longer taken may be an old account's; what belongs to nobody is refused as such. */
  async #personOf(email: string): Promise<StoredPerson | undefined> {
    const { store } = this.#parts;
    const forms = new Set([comparedAddress(email), email.trim().toLowerCase()]);
    // All of them, found or not: how long it takes depends on what was written only.
    const found = await Promise.all([...forms].map((form) => store.personByEmail(form)));
    return found.find((person) => person !== undefined);
  }

  async #sendReset(email: string, mailer: Mailer): Promise<void> {
    const { store, limits, addresses, now } = this.#parts;
    if (!(await limits.isWithin("mail account", await addresses.of(email)))) return;
    const person = await this.#personOf(email);
    if (person === undefined) return;
    const { token } = await makeReset(store, person.account.id, now());
    mailer.send({ kind: "reset", to: person.account.email, language: person.language, token });
  }
}

function wrong(): PersonRefusal {
  return new PersonRefusal("credentials", "this address and password do not belong together");
}

function badLink(): PersonRefusal {
  return new PersonRefusal("token", "this link was used, has expired or is not whole; ask for a new one");
}
