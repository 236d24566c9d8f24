import type { PeopleQueries } from "./queries.ts";
import { PersonRefusal } from "./refusal.ts";

interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;

/** Limits of attempts: wrong passwords, sign-ups, mail. */
const TRY_LIMITS = {
  /** Wrong passwords for one account, from anywhere. */
  "sign-in account": { limit: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Wrong passwords for one account from one client address. Applies if the account has signed in from there before.
   */
  "sign-in account from": { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords from one client address, for any account. */
  "sign-in address": { limit: 30, windowMs: 15 * MINUTE_MS },
  "sign-up address": { limit: 20, windowMs: 60 * MINUTE_MS },
  /** Wrong passwords in one session, which only its owner can use up. */
  confirm: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong two-factor codes for one account, after the right password. */
  code: { limit: 5, windowMs: 15 * MINUTE_MS },
  "code day": { limit: 50, windowMs: 24 * 60 * MINUTE_MS },
  /** Requests of an account to change its address. Each address also has its own limits. */
  "email change": { limit: 5, windowMs: 24 * 60 * MINUTE_MS },
  /** Exports of all data of an account, which are expensive. */
  export: { limit: 10, windowMs: 60 * MINUTE_MS },
  /** Invites and password links created by one operator on the page. */
  "operator link": { limit: 60, windowMs: 60 * MINUTE_MS },
  /** Sign-up mails to one address. */
  "sign-up mail": { limit: 5, windowMs: 60 * MINUTE_MS },
  /** Password links mailed to one address. */
  "reset mail": { limit: 5, windowMs: 60 * MINUTE_MS },
  /** Password links requested from one client address. */
  "reset address": { limit: 20, windowMs: 60 * MINUTE_MS },
} as const satisfies Readonly<Record<string, Limit>>;
export type AttemptKind = keyof typeof TRY_LIMITS;
/** Attempts of different kinds, each with its subject. */
export type Attempts = readonly (readonly [AttemptKind, string])[];

/**
 * Counts attempts in the state before the work is done, so that parallel attempts cannot exceed the limit and a restart
 * forgets none.
 */
export class AttemptLimits {
  readonly #store: PeopleQueries;
  readonly #now: () => number;

  constructor(store: PeopleQueries, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Counts an attempt for each subject in order and stops at the first over its limit, so that a refused client address
   * does not use up the attempts of accounts.
   * @throws {PersonRefusal} (the promise) tries; the same whether an account exists or not
   */
  async take(subjects: Attempts): Promise<void> {
    for (const [kind, subject] of subjects) {
      const waitSeconds = await this.count(kind, subject);
      if (waitSeconds > 0) throw tooManyAttempts(waitSeconds);
    }
  }

  /** Takes attempts, then does the work. @throws {PersonRefusal} (the promise) tries, or the work's error */
  async attempt<T>(subjects: Attempts, work: () => Promise<T>): Promise<T> {
    await this.take(subjects);
    return this.refundIfBusy(subjects, work);
  }

  /** Does the work that attempts were taken for, and gives them back if the service was busy or partly unavailable. */
  async refundIfBusy<T>(subjects: Attempts, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PersonRefusal && (error.reason === "busy" || error.reason === "away")) {
        await this.giveBack(subjects);
      }
      throw error;
    }
  }

  /** Counts an attempt. @returns whether it is within the limit, for callers that must not show a refusal */
  async isWithin(kind: AttemptKind, subject: string): Promise<boolean> {
    return (await this.count(kind, subject)) === 0;
  }

  /** Gives attempts back after a right password. */
  async giveBack(subjects: Attempts): Promise<void> {
    for (const [kind, subject] of subjects) await this.#store.giveBackAttempt(nameOf(kind, subject));
  }

  async clear(kind: AttemptKind, subject: string): Promise<void> {
    await this.#store.clearAttempts(nameOf(kind, subject));
  }

  /** Counts an attempt. @returns seconds to wait if it is over the limit, otherwise 0 */
  async count(kind: AttemptKind, subject: string): Promise<number> {
    const { limit, windowMs } = TRY_LIMITS[kind];
    const nowMs = this.#now();
    const { count, endsAtMs } = await this.#store.countAttempt(nameOf(kind, subject), nowMs, windowMs);
    return count <= limit ? 0 : Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));
  }
}

/** @param hint another way to continue, appended to the message */
export function tooManyAttempts(waitSeconds: number, hint = ""): PersonRefusal {
  const minutes = Math.ceil(waitSeconds / 60);
  return new PersonRefusal("tries", `too many attempts; try again in ${minutes} min${hint}`, waitSeconds);
}

function nameOf(kind: AttemptKind, subject: string): string {
  return `${kind} ${subject}`;
}
