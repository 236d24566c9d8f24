import type { PeopleStore } from "./peopleStore.ts";
import { PersonRefusal } from "./refusal.ts";

interface Limit {
  readonly most: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;

/** How often something may be tried: wrong passwords, sign-ups, mails. */
export const TRY_LIMITS = {
  /** Wrong passwords for one address of an account, from wherever. */
  "sign-in account": { most: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords from one client address, for whichever account. */
  "sign-in address": { most: 30, windowMs: 15 * MINUTE_MS },
  "sign-up address": { most: 20, windowMs: 60 * MINUTE_MS },
  "mail account": { most: 5, windowMs: 60 * MINUTE_MS },
  "mail address": { most: 20, windowMs: 60 * MINUTE_MS },
} as const satisfies Readonly<Record<string, Limit>>;
export type TryKind = keyof typeof TRY_LIMITS;

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
  async take(subjects: readonly (readonly [TryKind, string])[]): Promise<void> {
    for (const [kind, subject] of subjects) {
      const waitSeconds = await this.#wait(kind, subject);
      if (waitSeconds === 0) continue;
      const minutes = Math.ceil(waitSeconds / 60);
      throw new PersonRefusal("tries", `too many tries; try again in ${minutes} min`, waitSeconds);
    }
  }

  /** Whether one more try is within the limit; counts it. For what must not tell that it was refused. */
  async isWithin(kind: TryKind, subject: string): Promise<boolean> {
    return (await this.#wait(kind, subject)) === 0;
  }

  /** Takes back a try that was none: a right password. */
  async giveBack(kind: TryKind, subject: string): Promise<void> {
    await this.#store.giveBackAttempt(nameOf(kind, subject));
  }

  async clear(kind: TryKind, subject: string): Promise<void> {
    await this.#store.clearAttempts(nameOf(kind, subject));
  }

  async #wait(kind: TryKind, subject: string): Promise<number> {
    const { most, windowMs } = TRY_LIMITS[kind];
    const nowMs = this.#now();
    const { count, endsAtMs } = await this.#store.countAttempt(nameOf(kind, subject), nowMs, windowMs);
    return count <= most ? 0 : Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));
  }
}

function nameOf(kind: TryKind, subject: string): string {
  return `${kind} ${subject}`;
}
