import { dutchDay } from "./dutchDay.ts";
import type { CallBudget } from "./liveSource.ts";
import type { LiveStore } from "./store.ts";

export interface CallBudgetOptions {
  readonly store: Pick<LiveStore, "spendCall" | "refundCall" | "spentCalls">;
  /** Paid calls a day. */
  readonly mostADay: number;
  /** Told once on each day whose calls are spent. */
  readonly onSpent?: (day: string) => void;
  readonly now?: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number;
}

const DAY_MS = 86_400_000;
/**
 * The part of a day's calls that may go unanswered at once, and again over a whole day: a source that lets calls time out is
 * tried once a minute, and would else have used up all of them by the time it is back.
 */
const UNANSWERED_SHARE = 0.1;
const LEAST_UNANSWERED = 5;

/** The operator's budget of paid calls: so many a day by the calendar of the Netherlands, counted in the store for all nodes. */
export class DailyCallBudget implements CallBudget {
  readonly #options: CallBudgetOptions;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #mostUnanswered: number;
  #spentDay: string | undefined;
  /** How many calls may still go unanswered. */
  #patience: number;
  #patienceAtMs: number;

  constructor(options: CallBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#mostUnanswered = Math.max(LEAST_UNANSWERED, Math.ceil(options.mostADay * UNANSWERED_SHARE));
    this.#patience = this.#mostUnanswered;
    this.#patienceAtMs = this.#elapsed();
  }

  /** Learns what other processes, or this one before it was started anew, have spent of today. */
  async open(): Promise<void> {
    const today = this.#today();
    if ((await this.#options.store.spentCalls(today)) >= this.#options.mostADay) this.#noteSpent(today);
  }

  /** Whether today's calls are spent. */
  get isSpent(): boolean {
    return this.#spentDay === this.#today();
  }

  /** Whether a call would be let through now, as far as this process knows. */
  get admits(): boolean {
    return !this.isSpent && this.#patienceNow() >= 1;
  }

  async spend(): Promise<boolean> {
    if (!this.admits) return false;
    const today = this.#today();
    if (await this.#options.store.spendCall(today, this.#options.mostADay)) return true;
    this.#noteSpent(today);
    return false;
  }

  async refund(): Promise<void> {
    const today = this.#today();
    await this.#options.store.refundCall(today);
    if (this.#spentDay === today) this.#spentDay = undefined;
  }

  ended(isAnswered: boolean): void {
    const patience = this.#patienceNow() + (isAnswered ? 1 : -1);
    this.#patience = Math.min(this.#mostUnanswered, Math.max(0, patience));
  }

  #patienceNow(): number {
    const nowMs = this.#elapsed();
    const regained = ((nowMs - this.#patienceAtMs) / DAY_MS) * this.#mostUnanswered;
    this.#patience = Math.min(this.#mostUnanswered, this.#patience + regained);
    this.#patienceAtMs = nowMs;
    return this.#patience;
  }

  #today(): string {
    return dutchDay(this.#now());
  }

  #noteSpent(day: string): void {
    if (this.#spentDay === day) return;
    this.#spentDay = day;
    this.#options.onSpent?.(day);
  }
}

/** A budget within another: so many calls for one piece of work. */
export class LimitedCalls implements CallBudget {
  readonly #budget: CallBudget;
  #left: number;

  constructor(budget: CallBudget, most: number) {
    this.#budget = budget;
    this.#left = most;
  }

  /** How many may still be made. */
  get left(): number {
    return this.#left;
  }

  async spend(): Promise<boolean> {
    if (this.#left < 1) return false;
    this.#left -= 1;
    if (await this.#budget.spend()) return true;
    this.#left += 1;
    return false;
  }

  async refund(): Promise<void> {
    this.#left += 1;
    await this.#budget.refund();
  }

  ended(isAnswered: boolean): void {
    this.#budget.ended(isAnswered);
  }
}
