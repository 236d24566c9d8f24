import type { CallBudget, NoCall, Payer, TakenCall } from "../liveSource.ts";
import type { CallStore, FreeShare } from "./callStore.ts";
import { dutchDay } from "./dutchDay.ts";

export interface CallBudgetOptions {
  readonly store: Pick<CallStore, "spendCall" | "refundCall" | "spentCalls">;
  /** Paid calls a day. */
  readonly maxADay: number;
  /** The part of them that accounts of free tiers may cause together; without it they are as the others. */
  readonly share?: FreeShare;
  /** Told once on each day whose calls are spent. */
  readonly onSpent?: (day: string) => void;
  /** The same for the share. */
  readonly onShareSpent?: (day: string) => void;
  readonly now?: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number;
}

const DAY_MS = 86_400_000;
/**
 * A bucket of calls that may go unanswered, as large as this part of a day's calls, and refilled evenly over a day (token bucket).
 * Without it a source that lets calls time out would have used up the whole day's calls by the time it is back.
 */
const UNANSWERED_SHARE = 0.1;
const MIN_UNANSWERED = 5;

/** The operator's budget of paid calls: so many a day by the calendar of the Netherlands, counted in the store for all nodes. */
export class DailyCallBudget implements CallBudget {
  readonly #options: CallBudgetOptions;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #maxUnanswered: number;
  #spentDay: string | undefined;
  #shareSpentDay: string | undefined;
  /** What is left in the bucket of calls that may go unanswered. */
  #unansweredLeft: number;
  #refilledAtMs: number;

  constructor(options: CallBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#maxUnanswered = Math.max(MIN_UNANSWERED, Math.ceil(options.maxADay * UNANSWERED_SHARE));
    this.#unansweredLeft = this.#maxUnanswered;
    this.#refilledAtMs = this.#elapsed();
  }

  /** Learns what other processes, or this one before it was started anew, have spent of today. */
  async open(): Promise<void> {
    const today = this.#today();
    const { all } = await this.#options.store.spentCalls(today);
    if (all >= this.#options.maxADay) this.#noteSpent(today);
  }

  /** Whether today's calls are spent. */
  get isSpent(): boolean {
    return this.#spentDay === this.#today();
  }

  /** Whether a call would be let through now, as far as this process knows. */
  get permitsCalls(): boolean {
    return !this.isSpent && this.#refilled() >= 1;
  }

  async spend(payer: Payer): Promise<TakenCall | NoCall> {
    if (this.isSpent) return "budget";
    if (this.#refilled() < 1) return "outage";
    const { store, maxADay, share } = this.#options;
    const today = this.#today();
    const isOfShare = payer === "free" && share !== undefined;
    const spent = await store.spendCall(today, maxADay, isOfShare ? share : undefined);
    if (spent === "spent") return this.#taken(today, isOfShare);
    if (spent === "share-over") {
      this.#noteShareSpent(today);
      return "free-share";
    }
    this.#noteSpent(today);
    return "budget";
  }

  /** It goes back to the day that it was taken from, which may be over. */
  #taken(day: string, isOfShare: boolean): TakenCall {
    return {
      refund: async () => {
        await this.#options.store.refundCall(day, isOfShare);
        if (this.#spentDay === day) this.#spentDay = undefined;
      },
      ended: (isAnswered) => {
        const left = this.#refilled() + (isAnswered ? 1 : -1);
        this.#unansweredLeft = Math.min(this.#maxUnanswered, Math.max(0, left));
      },
    };
  }

  #refilled(): number {
    const nowMs = this.#elapsed();
    const regained = ((nowMs - this.#refilledAtMs) / DAY_MS) * this.#maxUnanswered;
    this.#unansweredLeft = Math.min(this.#maxUnanswered, this.#unansweredLeft + regained);
    this.#refilledAtMs = nowMs;
    return this.#unansweredLeft;
  }

  #today(): string {
    return dutchDay(this.#now());
  }

  #noteSpent(day: string): void {
    if (this.#spentDay === day) return;
    this.#spentDay = day;
    this.#options.onSpent?.(day);
  }

  #noteShareSpent(day: string): void {
    if (this.#shareSpentDay === day) return;
    this.#shareSpentDay = day;
    this.#options.onShareSpent?.(day);
  }
}

/** A part of a budget: a number of calls for one task. */
export class LimitedCalls implements CallBudget {
  readonly #budget: CallBudget;
  readonly #limit: number;
  #made = 0;

  constructor(budget: CallBudget, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
  }

  /** Calls that were taken and not refunded. */
  get made(): number {
    return this.#made;
  }

  /** Whether all calls of the task are made. */
  get isOver(): boolean {
    return this.#made >= this.#limit;
  }

  async spend(payer: Payer): Promise<TakenCall | NoCall> {
    if (this.isOver) return "budget";
    this.#made += 1;
    const taken = await this.#budget.spend(payer);
    if (typeof taken === "string") {
      this.#made -= 1;
      return taken;
    }
    return {
      refund: () => {
        this.#made -= 1;
        return taken.refund();
      },
      ended: (isAnswered) => taken.ended(isAnswered),
    };
  }
}
