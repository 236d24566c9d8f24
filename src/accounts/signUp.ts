import type { Language, NextStep, SignupMode } from "../contract/accountResources.ts";
import { normalEmail } from "./accounts.ts";
import { shownToken } from "./links.ts";
import type { MailOrder } from "./mail/mails.ts";
import type { PeopleParts } from "./parts.ts";
import { checkPassword } from "./passwordRule.ts";
import type { OneTimeToken } from "./people.ts";
import { PersonRefusal } from "./refusal.ts";
import type { OpenedSession, RequestOrigin } from "./sessions.ts";

/** The plan of new accounts. */
const FIRST_TIER = "free";

interface SignUpParts extends PeopleParts {
  readonly mode: SignupMode;
}

export interface SigningUp {
  readonly email: string;
  readonly password: string;
  readonly invite?: string;
  readonly language?: Language;
}

/** Sign-up. An address with an account gets the same response as any other, after the same work. */
export class SignUp {
  readonly #parts: SignUpParts;

  constructor(parts: SignUpParts) {
    this.#parts = parts;
  }

  /**
   * With a mailer: mails a link; the account is created when someone opens it and knows the password. Without one:
   * creates the account at once, unless the address has one.
   * @throws {PersonRefusal} (the promise) signup, input, tries, busy
   * @throws {AccountRefusal} (the promise) for a bad address
   */
  async signUp(
    { email, password, invite, language = "en" }: SigningUp,
    { address, gone }: RequestOrigin,
  ): Promise<NextStep> {
    const { accounts, passwords, limits, store, mailer, now } = this.#parts;
    const invitation = await this.#invited(invite, normalEmail(email));
    await checkPassword(password, email);
    const nowMs = now();
    const account = await accounts.draft(email, invitation?.tierName ?? FIRST_TIER, nowMs);
    const passwordHash = await limits.attempt([["sign-up address", address]], () =>
      passwords.hash(password, { address, signal: gone }),
    );
    const inviteHash = invitation && { inviteHash: invitation.hash };
    if (mailer === undefined) {
      const added = await store.addPerson({ account, passwordHash, language, nowMs, ...inviteHash });
      if (added === "no-invite") throw noInvite();
      return { next: "sign-in" };
    }
    const { email: to, tierName, emailHash = to } = account;
    const owner = await store.personByEmail(to);
    const order: MailOrder =
      owner === undefined
        ? { kind: "confirm", email: to, tierName, passwordHash, language, ...inviteHash }
        : { kind: "taken", accountId: owner.account.id, language: owner.language };
    if (await limits.isWithin("sign-up mail", emailHash)) await mailer.send(order, emailHash);
    return { next: "confirm" };
  }

  /**
   * Creates the account of a mailed link and opens a session. The password is required because the link only proves the
   * address: a person who signed up with another person's address must not get in by the owner's click.
   * @throws {PersonRefusal} (the promise) token, password, tries, busy
   */
  async confirm(
    { token, password }: { readonly token: string; readonly password: string },
    origin: RequestOrigin,
  ): Promise<OpenedSession> {
    const { accounts, passwords, limits, store, sessions, now } = this.#parts;
    const { address, gone } = origin;
    const counted = [["sign-in address", address]] as const;
    await limits.take(counted);
    const pending = await shownToken(store, token, "confirm", now());
    const isRight = await limits.refundIfBusy(counted, () =>
      passwords.verify(password, pending?.passwordHash, { address, signal: gone }),
    );
    if (pending?.email === undefined || pending.passwordHash === undefined) throw badLink();
    if (!isRight) throw new PersonRefusal("password", "this is not the password chosen at sign-up");
    await limits.giveBack(counted);
    const confirmation = await store.takeToken(pending.hash, "confirm", now());
    if (confirmation === undefined) throw badLink();
    const { email, passwordHash, inviteHash, language = "en" } = pending;
    const account = await accounts.draft(email, pending.tierName ?? FIRST_TIER, now());
    const invite = inviteHash === undefined ? {} : { inviteHash };
    const added = await store.addPerson({ account, passwordHash, language, nowMs: now(), ...invite });
    if (added === "no-invite") throw noInvite();
    const opened = added === "added" ? await sessions.open(account.id, passwordHash, origin) : undefined;
    if (opened === undefined) throw badLink();
    return opened;
  }

  /** Returns the invite for this address; undefined if none is needed and none was given. */
  async #invited(invite: string | undefined, email: string): Promise<OneTimeToken | undefined> {
    const { mode, store, now } = this.#parts;
    if (mode === "closed") {
      throw new PersonRefusal("signup", "sign-up is closed; ask the operator of this service for an account");
    }
    if (mode === "open" && (invite === undefined || invite === "")) return undefined;
    const found = await shownToken(store, invite ?? "", "invite", now());
    if (found === undefined || (found.email !== undefined && found.email !== email)) throw noInvite();
    return found;
  }
}

function noInvite(): PersonRefusal {
  return new PersonRefusal(
    "signup",
    "signing up requires a valid, unused invite for this address; ask the operator of this service",
  );
}

function badLink(): PersonRefusal {
  return new PersonRefusal(
    "token",
    "this link was used, has expired or is incomplete; sign in, or sign up again for a new one",
  );
}
