import type { BudgetedCall, CallBudget, NoCall, PaidBy } from "../liveSource.ts";
import type { MonitorSourceQueries } from "../queries/monitorSources.ts";
import type { PaidCallQueries } from "../queries/paidCalls.ts";
import { dutchDay } from "./dutchDay.ts";
import type { FreeShare } from "./paidCalls.ts";

export interface CallBudgetOptions {
  readonly store: Pick<PaidCallQueries, "spendCall" | "refundCall" | "spentCalls">;
  readonly maxADay: number;
  /** The part that accounts of free tiers may use together; without it they are treated like others. */
  readonly share?: FreeShare;
  /** The part for monitored companies; without it they get no calls. */
  readonly monitors?: {
    readonly store: Pick<MonitorSourceQueries, "spendMonitorCall" | "refundMonitorCall">;
    readonly calls: number;
  };
  /** Called once per day when the calls of the day are spent. */
  readonly onSpent?: (day: string) => void;
  /** Called once per day when the share is spent. */
  readonly onShareSpent?: (day: string) => void;
  readonly now?: () => number;
  /** A monotonic clock, milliseconds. */
  readonly elapsed?: () => number;
}

const DAY_MS = 86_400_000;
/**
 * The size of the token bucket of calls that may go unanswered, as a part of a day's calls; it refills evenly over a
 * day. Without it an upstream whose calls time out would use up the calls of the whole day.
 */
const UNANSWERED_SHARE = 0.1;
const MIN_UNANSWERED = 5;

/** The operator's daily budget of paid calls, by the Dutch calendar, counted in the store for all nodes. */
export class DailyCallBudget implements CallBudget {
  readonly #options: CallBudgetOptions;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #maxUnanswered: number;
  #spentDay: string | undefined;
  #shareSpentDay: string | undefined;
  /** The level of the bucket of calls that may go unanswered. */
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

  /** Reads how much of today's budget is spent. */
  async open(): Promise<void> {
    const today = this.#today();
    const { all } = await this.#options.store.spentCalls(today);
    if (all >= this.#options.maxADay) this.#noteSpent(today);
  }

  /** Whether today's calls are spent. */
  get isSpent(): boolean {
    return this.#spentDay === this.#today();
  }

  /** Whether a call would be permitted now, from this process's point of view. */
  get permitsCalls(): boolean {
    return !this.isSpent && this.#refilled() >= 1;
  }

  async spend(payer: PaidBy): Promise<BudgetedCall | NoCall> {
    if (this.isSpent) return "budget";
    if (this.#refilled() < 1) return "outage";
    const { store, maxADay, share } = this.#options;
    const today = this.#today();
    if (payer === "monitors") return this.#spendForMonitors(today);
    const isOfShare = payer === "free" && share !== undefined;
    const spent = await store.spendCall(today, maxADay, isOfShare ? share : undefined);
    if (spent === "spent") return this.#taken(today, () => store.refundCall(today, isOfShare));
    if (spent === "share-over") {
      this.#noteShareSpent(today);
      return "free-share";
    }
    this.#noteSpent(today);
    return "budget";
  }

  async #spendForMonitors(today: string): Promise<BudgetedCall | NoCall> {
    const { maxADay, monitors } = this.#options;
    if (monitors === undefined) return "budget";
    const spent = await monitors.store.spendMonitorCall(today, maxADay, monitors.calls);
    if (spent === "spent") return this.#taken(today, () => monitors.store.refundMonitorCall(today));
    if (spent === "day-over") this.#noteSpent(today);
    return "budget";
  }

  /** A call that is refunded to the day on which it was taken. */
  #taken(day: string, refund: () => Promise<void>): BudgetedCall {
    return {
      refund: async () => {
        await refund();
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

/** A budget with an additional limit for one task. */
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

  get isOver(): boolean {
    return this.#made >= this.#limit;
  }

  async spend(payer: PaidBy): Promise<BudgetedCall | NoCall> {
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
