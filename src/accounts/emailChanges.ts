import type { NextStep } from "../contract/accountResources.ts";
import { TERMINAL } from "../contract/auditKinds.ts";
import { quoted } from "../contract/quoting.ts";
import { type Accounts, normalEmail } from "./accounts.ts";
import { shownToken } from "./links.ts";
import type { PeopleParts } from "./parts.ts";
import type { PeopleQueries } from "./queries.ts";
import { AccountRefusal, PersonRefusal } from "./refusal.ts";
import { AddressHashes } from "./secrets.ts";
import type { RequestOrigin, SignedIn } from "./sessions.ts";

/**
 * Changes an account's address: a link mailed to the new address confirms it, and the old address is notified.
 * Responses never show whether an address has an account.
 */
export class EmailChanges {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /**
   * Mails a link to the new address, or a notice if the address has an account. The caller has checked the password.
   * @throws {PersonRefusal} (the promise) input, tries
   * @throws {AccountRefusal} (the promise) for a bad address
   */
  async request({ person: { account, language } }: SignedIn, typed: string): Promise<NextStep> {
    const { store, limits, addresses, mailer } = this.#parts;
    const { id } = account;
    if (account.isSuspended) {
      throw new PersonRefusal("input", "a suspended account cannot change its address: contact the operator");
    }
    const email = normalEmail(typed);
    if (email === account.email) {
      throw new PersonRefusal("input", "this is already your address", undefined, "email");
    }
    if (mailer === undefined) return { next: "operator" };
    await limits.take([["email change", id]]);
    const emailHash = await addresses.of(email);
    const owner = await store.personByEmail(email);
    const order =
      owner === undefined
        ? ({ kind: "email", accountId: id, email, language } as const)
        : ({ kind: "email-taken", accountId: owner.account.id, language: owner.language } as const);
    if (await limits.isWithin("sign-up mail", emailHash)) await mailer.send(order, emailHash);
    return { next: "confirm" };
  }

  /**
   * Changes the address by a mailed link. The password is required because the link only proves the address: a click by
   * the address's owner must not change another person's account.
   * @throws {PersonRefusal} (the promise) token, password, tries, busy
   */
  async confirm(
    { token, password }: { readonly token: string; readonly password: string },
    { address, gone }: RequestOrigin,
  ): Promise<void> {
    const { store, limits, passwords, addresses, notify, now } = this.#parts;
    const counted = [["sign-in address", address]] as const;
    await limits.take(counted);
    const found = await shownToken(store, token, "email", now());
    const person = found?.accountId === undefined ? undefined : await store.person(found.accountId);
    const isRight = await limits.refundIfBusy(counted, () =>
      passwords.verify(password, person?.passwordHash, { address, signal: gone }),
    );
    if (person === undefined || found?.email === undefined) throw badLink();
    if (!isRight) throw new PersonRefusal("password", "the password is wrong");
    await limits.giveBack(counted);
    const { email } = found;
    const [emailHash, oldHash] = [await addresses.of(email), await addresses.of(person.account.email)];
    const change = { email, emailHash, oldHash, tokenHash: found.hash, nowMs: now() };
    if ((await store.changeEmail(person.account.id, change)) !== "changed") throw badLink();
    await notify("email-changed", person);
  }
}

/**
 * Changes an account's address as the operator, who has verified its owner.
 * @returns the stored address
 * @throws {AccountRefusal} (the promise) for a bad or taken address, or an unknown account
 */
export async function changeEmailOf(
  store: PeopleQueries,
  accounts: Accounts,
  id: string,
  typed: string,
  nowMs: number,
  by = TERMINAL,
): Promise<string> {
  const email = normalEmail(typed);
  const before = await accounts.find(id);
  const addresses = new AddressHashes(store);
  const [emailHash, oldHash] = [await addresses.of(email), await addresses.of(before.email)];
  const outcome = await store.changeEmail(id, { email, emailHash, oldHash, nowMs });
  if (outcome !== "changed") throw new AccountRefusal(`${quoted(email)} already has an account`);
  await accounts.record({ by, accountId: id, what: "email" });
  return email;
}

function badLink(): PersonRefusal {
  return new PersonRefusal(
    "token",
    "this link was used, has expired or is incomplete, or its address cannot be used this month; request a new one",
  );
}
