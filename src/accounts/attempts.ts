import type { PeopleStore } from "./peopleStore.ts";
import { PersonRefusal } from "./refusal.ts";

interface Limit {
  readonly most: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;

/** How often something may be tried: wrong passwords, sign-ups, mails. */
const TRY_LIMITS = {
  /** Wrong passwords for one address of an account, from wherever. */
  "sign-in account": { most: 10, windowMs: 15 * MINUTE_MS },
  /** The same from one client address: what counts where the account has signed in before. */
  "sign-in account from": { most: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords from one client address, for whichever account. */
  "sign-in address": { most: 30, windowMs: 15 * MINUTE_MS },
  "sign-up address": { most: 20, windowMs: 60 * MINUTE_MS },
  /** Wrong passwords of who is signed in, for one session: no stranger can use these up. */
  confirm: { most: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong codes of two-factor sign-in, of one account whose password was shown. */
  code: { most: 5, windowMs: 15 * MINUTE_MS },
  "code day": { most: 50, windowMs: 24 * 60 * MINUTE_MS },
  /** Changes of address that an account asks for: each address has quotas of its own. */
  "email change": { most: 5, windowMs: 24 * 60 * MINUTE_MS },
  /** Files of all that an account is made of: dear to make. */
  export: { most: 10, windowMs: 60 * MINUTE_MS },
  /** Invites and links for a new password that an operator makes on the page. */
  "operator link": { most: 60, windowMs: 60 * MINUTE_MS },
  /** Mails that signing up with one address sends there. */
  "sign-up mail": { most: 5, windowMs: 60 * MINUTE_MS },
  /** Links to set a new password that are sent to one address. */
  "reset mail": { most: 5, windowMs: 60 * MINUTE_MS },
  /** Such links that one client address asks for. */
  "reset address": { most: 20, windowMs: 60 * MINUTE_MS },
} as const satisfies Readonly<Record<string, Limit>>;
export type TryKind = keyof typeof TRY_LIMITS;
/** Tries of different kinds, each with what it is counted for. */
export type Tries = readonly (readonly [TryKind, string])[];

/**
 * Tries, counted in the state before what is tried is looked at: of any number at once no more than the limit get
 * through, and a restart forgets none.
 */
export class TryLimits {
  readonly #store: PeopleStore;
  readonly #now: () => number;

  constructor(store: PeopleStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Counts a try for each of these, one after the other, and stops at the first that had too many: a client address
   * that is refused must not use up the tries of accounts.
   * @throws {PersonRefusal} tries; the same whether an account exists or not
   */
  async take(subjects: Tries): Promise<void> {
    for (const [kind, subject] of subjects) {
      const waitSeconds = await this.count(kind, subject);
      if (waitSeconds > 0) throw tooManyTries(waitSeconds);
    }
  }

  /** Takes tries and does what they are for. @throws {PersonRefusal} tries, and what `work` throws */
  async attempt<T>(subjects: Tries, work: () => Promise<T>): Promise<T> {
    await this.take(subjects);
    return this.unlessBusy(subjects, work);
  }

  /** Does what tries were taken for; when it could not be done, because others were before it or something was away, that was no try. */
  async unlessBusy<T>(subjects: Tries, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PersonRefusal && (error.reason === "busy" || error.reason === "away")) {
        await this.giveBack(subjects);
      }
      throw error;
    }
  }

  /** Whether one more try is within the limit; counts it. For what must not tell that it was refused. */
  async isWithin(kind: TryKind, subject: string): Promise<boolean> {
    return (await this.count(kind, subject)) === 0;
  }

  /** Takes back tries that were none: a right password. */
  async giveBack(subjects: Tries): Promise<void> {
    for (const [kind, subject] of subjects) await this.#store.giveBackAttempt(nameOf(kind, subject));
  }

  async clear(kind: TryKind, subject: string): Promise<void> {
    await this.#store.clearAttempts(nameOf(kind, subject));
  }

  /** Counts a try; the seconds to wait when it is one too many, else 0. */
  async count(kind: TryKind, subject: string): Promise<number> {
    const { most, windowMs } = TRY_LIMITS[kind];
    const nowMs = this.#now();
    const { count, endsAtMs } = await this.#store.countAttempt(nameOf(kind, subject), nowMs, windowMs);
    return count <= most ? 0 : Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));
  }
}

/** @param hint where else to go on, if anywhere */
export function tooManyTries(waitSeconds: number, hint = ""): PersonRefusal {
  const minutes = Math.ceil(waitSeconds / 60);
  return new PersonRefusal("tries", `too many tries; try again in ${minutes} min${hint}`, waitSeconds);
}

function nameOf(kind: TryKind, subject: string): string {
  return `${kind} ${subject}`;
}
