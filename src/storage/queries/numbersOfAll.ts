import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

const SUMMED_EVERY_MS = 30_000;

/** The numbers that lists hold: each list's that was sent, twice ones once. */
export const NUMBERS = sql<number>`coalesce(sum(sent - duplicates), 0)`;

/**
 * What the lists of all accounts hold together. Adding it up takes a look at every list, which would hold the state at each that is sent: it is added up
 * now and then, and what this process adds meanwhile is counted. What other nodes add in that time is not seen, so that all of them together may hold a
 * little more than the bound; nobody is refused by a sum of before.
 */
export class NumbersOfAll {
  readonly #nowMs: () => number;
  #sum = 0;
  #summedAtMs = Number.NEGATIVE_INFINITY;

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether so many more may be added, at most `most` being held then. */
  async hasRoomFor(db: Kysely<Tables>, more: number, most: number): Promise<boolean> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#summedAtMs < SUMMED_EVERY_MS && this.#sum + more <= most) return true;
    const { all } = await db
      .selectFrom("jobs")
      .select(NUMBERS.as("all"))
      .where("status", "<>", "cancelled")
      .executeTakeFirstOrThrow();
    this.#sum = Number(all);
    this.#summedAtMs = nowMs;
    return this.#sum + more <= most;
  }

  /** So many are added. Where that is undone, they count until the next sum. */
  added(more: number): void {
    this.#sum += more;
  }
}
