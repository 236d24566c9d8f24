import type { NextStep } from "../contract/accountResources.ts";
import { comparedAddress } from "../contract/emailAddress.ts";
import { tooManyTries } from "./attempts.ts";
import { shownToken } from "./links.ts";
import type { PeopleParts } from "./parts.ts";
import { checkPassword } from "./passwordRule.ts";
import type { StoredPerson } from "./peopleStore.ts";
import { PersonRefusal } from "./refusal.ts";
import type { Arrived, Opened, SignedIn } from "./sessions.ts";
import type { TwoFactor } from "./twoFactor.ts";

const ELSEWHERE = ", or now from where you signed in lately, with the right password";

interface SignInParts extends PeopleParts {
  readonly twoFactor: TwoFactor;
}

/** What somebody signs in with. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of two-factor sign-in, a code of the device or a recovery code. */
  readonly code?: string;
}

/** Passwords: coming in with one, changing and resetting it. Nothing here tells whether an address has an account. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /**
   * Where two-factor sign-in is on and no code came, nothing is opened: only who knows the password learns of it.
   * @throws {PersonRefusal} credentials (one answer for every cause), code, tries, busy, away
   */
  async signIn({ email, password, code }: Credentials, arrived: Arrived): Promise<Opened | "code needed"> {
    const { sessions, twoFactor } = this.#parts;
    const { account, passwordHash } = await this.#verified(email, password, arrived);
    if (passwordHash === undefined) throw wrong();
    const opened = await twoFactor.passing(account.id, code, (usable) =>
      sessions.open(account.id, passwordHash, arrived, usable),
    );
    if (opened === undefined) throw wrong();
    return opened;
  }

  /** Ends every session and opens another in the place of this one. @throws {PersonRefusal} password, input, tries, busy */
  async changePassword(
    signedIn: SignedIn,
    { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
    arrived: Arrived,
  ): Promise<Opened> {
    const { store, passwords, sessions, twoFactor, notices } = this.#parts;
    const { person } = signedIn;
    const { address, gone } = arrived;
    const { id, email } = person.account;
    const oldHash = await this.confirmWith(signedIn, oldPassword, arrived);
    await checkPassword(newPassword, email);
    const passwordHash = await passwords.hash(newPassword, { account: ofSession(id), address, gone });
    // While it was hashed, another change or a link may have set another.
    if (!(await store.setPassword(id, passwordHash, oldHash))) throw notYours();
    const opened = await sessions.open(id, passwordHash, arrived, { kind: "signed in" });
    if (opened === undefined) throw wrong();
    await twoFactor.clearTries(id);
    await notices.tell("changed", person);
    return opened;
  }

  /**
   * Asks for the password once more, before what cannot be undone. The tries are the session's own, so that nobody who is not signed
   * in can use them up.
   * @returns the hash that it was compared with
   * @throws {PersonRefusal} password, tries, busy
   */
  async confirmWith(
    { session }: SignedIn,
    password: string,
    { address, gone }: Pick<Arrived, "address" | "gone">,
  ): Promise<string> {
    const { store, passwords, limits } = this.#parts;
    const account = ofSession(session.accountId);
    const passwordHash = await limits.attempt([["confirm", session.id]], async () => {
      const person = await store.person(session.accountId);
      const isRight = await passwords.verify(password, person?.passwordHash, { account, address, gone });
      return isRight ? person?.passwordHash : undefined;
    });
    if (passwordHash === undefined) throw notYours();
    await limits.clear("confirm", session.id);
    return passwordHash;
  }

  /** Has a link sent to set a new password, if there is such an account; if there is none, the same is done for nobody. */
  async requestReset(email: string, address: string): Promise<NextStep> {
    const { limits, addresses, mailer } = this.#parts;
    if (mailer === undefined) return { next: "operator" };
    await limits.take([["reset address", address]]);
    const emailHash = await addresses.of(email);
    const mayMail = await limits.isWithin("reset mail", emailHash);
    const { account, language = "en" } = (await this.#personOf(email)) ?? {};
    const order = { kind: "reset", language, ...(account && { accountId: account.id }) } as const;
    if (mayMail) await mailer.send(order, emailHash);
    return { next: "mail" };
  }

  /** Sets a new password with a link; every session ends. @throws {PersonRefusal} token, input, busy */
  async reset(
    { token, password }: { readonly token: string; readonly password: string },
    { address, gone }: Pick<Arrived, "address" | "gone">,
  ): Promise<void> {
    const { store, passwords, limits, addresses, twoFactor, notices, now } = this.#parts;
    const found = await shownToken(store, token, "reset", now());
    const person = found?.accountId === undefined ? undefined : await store.person(found.accountId);
    if (found === undefined || person === undefined) throw badLink();
    const { id, email } = person.account;
    await checkPassword(password, email);
    const passwordHash = await passwords.hash(password, { address, gone });
    if ((await store.takeToken(found.hash, "reset", now())) === undefined) throw badLink();
    if (!(await store.setPassword(id, passwordHash))) throw badLink();
    await limits.clear("sign-in account", await addresses.of(email));
    await twoFactor.clearTries(id);
    await notices.tell("changed", person);
  }

  /**
   * Who it is. Too many wrong passwords for an account refuse the right one too, but not from where it has signed in before: there its
   * tries have a counter of their own. What a wrong password is answered, and the work for it, goes by the counter that everybody shares:
   * so it tells neither whether there is an account nor where it signs in.
   */
  async #verified(email: string, password: string, { address, gone }: Arrived): Promise<StoredPerson> {
    const { passwords, limits, addresses, sessions } = this.#parts;
    await limits.take([["sign-in address", address]]);
    const subject = await addresses.of(email);
    const fromHere = `${subject} ${address}`;
    const waitSeconds = await limits.count("sign-in account", subject);
    const isSpentHere = (await limits.count("sign-in account from", fromHere)) > 0;
    const person = await this.#personOf(email);
    const isKnown = await sessions.isKnown(person?.account.id, address);
    const counted = [
      ["sign-in address", address],
      ["sign-in account", subject],
      ["sign-in account from", fromHere],
    ] as const;
    // A share for where it has signed in before, and one for elsewhere: strangers take nothing of the first.
    const account = `${subject} ${isKnown ? "known" : "new"}`;
    const isRight = await limits.unlessBusy(counted, () =>
      passwords.verify(password, person?.passwordHash, { account, address, gone }),
    );
    const mayTry = waitSeconds === 0 || (isKnown && !isSpentHere);
    if (!mayTry || person === undefined || !isRight) {
      throw waitSeconds === 0 ? wrong() : tooManyTries(waitSeconds, ELSEWHERE);
    }
    await limits.giveBack(counted);
    await limits.clear("sign-in account from", fromHere);
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
}

/** The share of an account, at hashing passwords, of those who are signed in to it. */
function ofSession(accountId: string): string {
  return `${accountId} session`;
}

function wrong(): PersonRefusal {
  return new PersonRefusal("credentials", "this address and password do not belong together");
}

function notYours(): PersonRefusal {
  return new PersonRefusal("password", "this is not your password");
}

function badLink(): PersonRefusal {
  return new PersonRefusal("token", "this link was used, has expired or is not whole; ask for a new one");
}
