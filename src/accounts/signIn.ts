import type { NextStep } from "../contract/accountResources.ts";
import { comparedAddress } from "../contract/emailAddress.ts";
import { tooManyAttempts } from "./attempts.ts";
import { shownToken } from "./links.ts";
import type { PeopleParts } from "./parts.ts";
import { checkPassword } from "./passwordRule.ts";
import type { StoredPerson } from "./people.ts";
import { PersonRefusal } from "./refusal.ts";
import type { OpenedSession, RequestOrigin, SignedIn } from "./sessions.ts";
import type { TwoFactor } from "./twoFactor.ts";

const ELSEWHERE = ", or now with the right password from a place where you signed in before";

interface SignInParts extends PeopleParts {
  readonly twoFactor: TwoFactor;
}

/** The input of a sign-in. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** A two-factor code of the device, or a recovery code. */
  readonly code?: string;
}

/** Sign-in, and changing and resetting a password. Responses never show whether an address has an account. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /**
   * Signs in. `code needed`: two-factor sign-in is on and no code was sent; this shows only after the right password.
   * @throws {PersonRefusal} (the promise) credentials (the same for every cause), code, tries, busy, away
   */
  async signIn(
    { email, password, code }: Credentials,
    origin: RequestOrigin,
  ): Promise<OpenedSession | "code needed"> {
    const { sessions, twoFactor } = this.#parts;
    const { account, passwordHash } = await this.#verified(email, password, origin);
    if (passwordHash === undefined) throw wrong();
    const opened = await twoFactor.passing(account.id, code, (usable) =>
      sessions.open(account.id, passwordHash, origin, usable),
    );
    if (opened === undefined) throw wrong();
    return opened;
  }

  /**
   * Changes the password, ends every session and opens a new one.
   * @throws {PersonRefusal} (the promise) password, input, tries, busy
   */
  async changePassword(
    signedIn: SignedIn,
    { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
    origin: RequestOrigin,
  ): Promise<OpenedSession> {
    const { store, passwords, sessions, twoFactor, notify } = this.#parts;
    const { person } = signedIn;
    const { address, gone } = origin;
    const { id, email } = person.account;
    const oldHash = await this.confirmWith(signedIn, oldPassword, origin);
    await checkPassword(newPassword, email);
    const passwordHash = await passwords.hash(newPassword, { account: ofSession(id), address, signal: gone });
    // Another change or a link may have set a password while this one was hashed.
    if (!(await store.setPassword(id, passwordHash, oldHash))) throw notYours();
    const opened = await sessions.open(id, passwordHash, origin, { kind: "signed in" });
    if (opened === undefined) throw wrong();
    await twoFactor.clearTries(id);
    await notify("changed", person);
    return opened;
  }

  /**
   * Checks the password again before an important change. The session has its own attempts, so that strangers cannot
   * use them up.
   * @returns the stored hash
   * @throws {PersonRefusal} (the promise) password, tries, busy
   */
  async confirmWith(
    { session }: SignedIn,
    password: string,
    { address, gone }: Pick<RequestOrigin, "address" | "gone">,
  ): Promise<string> {
    const { store, passwords, limits } = this.#parts;
    const account = ofSession(session.accountId);
    const passwordHash = await limits.attempt([["confirm", session.id]], async () => {
      const person = await store.person(session.accountId);
      const isRight = await passwords.verify(password, person?.passwordHash, {
        account,
        address,
        signal: gone,
      });
      return isRight ? person?.passwordHash : undefined;
    });
    if (passwordHash === undefined) throw notYours();
    await limits.clear("confirm", session.id);
    return passwordHash;
  }

  /** Mails a password link if the address has an account. Otherwise it does the same work. */
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

  /** Sets a new password by a link and ends every session. @throws {PersonRefusal} (the promise) token, input, busy */
  async reset(
    { token, password }: { readonly token: string; readonly password: string },
    { address, gone }: Pick<RequestOrigin, "address" | "gone">,
  ): Promise<void> {
    const { store, passwords, limits, addresses, twoFactor, notify, now } = this.#parts;
    const found = await shownToken(store, token, "reset", now());
    const person = found?.accountId === undefined ? undefined : await store.person(found.accountId);
    if (found === undefined || person === undefined) throw badLink();
    const { id, email } = person.account;
    await checkPassword(password, email);
    const passwordHash = await passwords.hash(password, { address, signal: gone });
    if ((await store.takeToken(found.hash, "reset", now())) === undefined) throw badLink();
    if (!(await store.setPassword(id, passwordHash))) throw badLink();
    await limits.clear("sign-in account", await addresses.of(email));
    await twoFactor.clearTries(id);
    await notify("changed", person);
  }

  /**
   * Verifies address and password. After too many wrong passwords even the right one is refused, except from addresses
   * where the account has signed in before, which have their own counter. The response to a wrong password, and its
   * work, depend only on the shared counter, so they show neither whether there is an account nor where it signs in.
   */
  async #verified(email: string, password: string, { address, gone }: RequestOrigin): Promise<StoredPerson> {
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
    // Known and new addresses have separate shares of hashing, so that strangers cannot use up the first.
    const account = `${subject} ${isKnown ? "known" : "new"}`;
    const isRight = await limits.refundIfBusy(counted, () =>
      passwords.verify(password, person?.passwordHash, { account, address, signal: gone }),
    );
    const mayTry = waitSeconds === 0 || (isKnown && !isSpentHere);
    if (!mayTry || person === undefined || !isRight) {
      throw waitSeconds === 0 ? wrong() : tooManyAttempts(waitSeconds, ELSEWHERE);
    }
    await limits.giveBack(counted);
    await limits.clear("sign-in account from", fromHere);
    return person;
  }

  /** Finds the person of an address. An old account may have an address that is no longer accepted for new ones. */
  async #personOf(email: string): Promise<StoredPerson | undefined> {
    const { store } = this.#parts;
    const forms = new Set([comparedAddress(email), email.trim().toLowerCase()]);
    // All forms are looked up, so that the time depends only on the input.
    const found = await Promise.all([...forms].map((form) => store.personByEmail(form)));
    return found.find((person) => person !== undefined);
  }
}

/** The share of hashing for signed-in people of an account. */
function ofSession(accountId: string): string {
  return `${accountId} session`;
}

function wrong(): PersonRefusal {
  return new PersonRefusal("credentials", "the email address or password is wrong");
}

function notYours(): PersonRefusal {
  return new PersonRefusal("password", "the password is wrong");
}

function badLink(): PersonRefusal {
  return new PersonRefusal("token", "this link was used, has expired or is incomplete; request a new one");
}
