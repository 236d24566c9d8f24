import { afterAll, beforeAll, beforeEach } from "vitest";
import type { NewPerson, OneTimeToken, Session } from "../../../src/accounts/people.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

export const HOUR_MS = 3_600_000;
/** The client address of tests' sessions. */
export const HOME = { addressHash: "home", maxKnown: 20 };
/** The number of concurrent requests. */
export const AT_ONCE = 20;

/** Runs {@link AT_ONCE} calls concurrently. */
export function atOnce<T>(work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));
}

/** Creates people, sessions and tokens for a fixture, each with unique values. */
export class PersonBuilder {
  readonly #fixture: StoreFixture;
  #count = 0;

  constructor(fixture: StoreFixture) {
    this.#fixture = fixture;
  }

  person(more: Partial<NewPerson> = {}, email?: string): NewPerson {
    const id = `acc_person_${++this.#count}`;
    const account = {
      id,
      email: email ?? `${id}@example.test`,
      tierName: "large",
      isSuspended: false,
      createdAt: new Date(this.#fixture.nowMs).toISOString(),
      emailHash: `hash of ${email ?? id}`,
    };
    return { account, passwordHash: "first", language: "nl", nowMs: this.#fixture.nowMs, ...more };
  }

  async addPerson(store: StateStore): Promise<NewPerson> {
    const person = this.person();
    const result = await store.people.addPerson(person);
    if (result !== "added") throw new Error(`the store says ${result}`);
    return person;
  }

  session(accountId: string, more: Partial<Session> = {}): Session {
    const { nowMs } = this.#fixture;
    const id = `ses_${++this.#count}`;
    return { id, accountId, createdAtMs: nowMs, lastSeenAtMs: nowMs, endsAtMs: nowMs + HOUR_MS, ...more };
  }

  token(more: Partial<OneTimeToken> = {}): OneTimeToken {
    const hash = `token ${++this.#count}`;
    return { hash, purpose: "invite", expiresAtMs: this.#fixture.nowMs + HOUR_MS, ...more };
  }
}

/**
 * Sets up a fixture with one connection, passed to `onConnected`, and a builder of people, for the tests of the calling
 * suite. Resets its clock before each test.
 */
export function setFixture(
  open: OpenStore,
  nowIso: string,
  onConnected: (store: StateStore) => void,
): { readonly fixture: StoreFixture; readonly builder: PersonBuilder } {
  const fixture = new StoreFixture(open, nowIso);
  beforeAll(async () => onConnected(await fixture.connect()));
  beforeEach(() => {
    fixture.nowIso = nowIso;
  });
  afterAll(() => fixture.close());
  return { fixture, builder: new PersonBuilder(fixture) };
}
