import { PeriodicWrite } from "../../lib/periodicWrite.ts";
import type { StateCode } from "../numbers/states.ts";
import type { ViesHistoryQueries } from "../queries.ts";
import type { ViesSlot } from "../stored.ts";
import { NOT_ASKED } from "./codes.ts";
import type { ViesResult } from "./results.ts";

export interface ViesHistoryOptions {
  readonly store: ViesHistoryQueries;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called when the counts could not be stored; they are kept and stored later. */
  readonly onError: (error: unknown) => void;
}

export const SLOT_MS = 30 * 60_000;
export const HISTORY_MS = 24 * 3_600_000;
const WRITE_EVERY_MS = 60_000;
const CACHED_FOR_MS = 15_000;
/** The maximum of slots that wait for an unavailable store; the oldest are dropped. */
const MAX_WAITING = 28 * 4;

/**
 * Counts which requests VIES answered, by state and half hour, and stores the counts once a minute, so that every node
 * shows the same day. Requests that never reached VIES or were cut short here are not counted.
 */
export class ViesHistory {
  readonly #options: ViesHistoryOptions;
  #waiting = new Map<string, ViesSlot>();
  #recent: { readonly atMs: number; readonly slots: Promise<readonly ViesSlot[]> } | undefined;
  readonly #writes = new PeriodicWrite(() => this.#writeAll(), WRITE_EVERY_MS);

  constructor(options: ViesHistoryOptions) {
    this.#options = options;
  }

  observe(state: StateCode, result: ViesResult): void {
    if (result === NOT_ASKED || (result.kind === "no-answer" && result.scope === "call")) return;
    const isAnswer = result.kind !== "no-answer";
    this.#add({
      state,
      slotAtMs: Math.floor(this.#options.now() / SLOT_MS) * SLOT_MS,
      answered: isAnswer ? 1 : 0,
      unanswered: isAnswer ? 0 : 1,
    });
  }

  /** The last 24 hours of all nodes, at most 15 seconds old. @throws when the store is unavailable */
  lastDay(): Promise<readonly ViesSlot[]> {
    const nowMs = this.#options.now();
    const age = nowMs - (this.#recent?.atMs ?? Number.NEGATIVE_INFINITY);
    if (this.#recent === undefined || age < 0 || age >= CACHED_FOR_MS) {
      const slots = this.#options.store.viesSlots(nowMs - HISTORY_MS);
      this.#recent = { atMs: nowMs, slots };
      // A failure is not cached.
      slots.catch(() => {
        if (this.#recent?.slots === slots) this.#recent = undefined;
      });
    }
    return this.#recent.slots;
  }

  /** Stores the counts. Never rejects. */
  write(): Promise<void> {
    return this.#writes.now();
  }

  /** Stores the remaining counts and stops. */
  close(): Promise<void> {
    return this.#writes.close();
  }

  async #writeAll(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const slots = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await this.#options.store.addViesSlots(slots, this.#options.now() - HISTORY_MS - SLOT_MS);
    } catch (error) {
      for (const slot of slots) this.#add(slot);
      this.#options.onError(error);
    }
  }

  #add(slot: ViesSlot): void {
    const key = `${slot.slotAtMs} ${slot.state}`;
    const pending = this.#waiting.get(key);
    this.#waiting.set(key, {
      ...slot,
      answered: slot.answered + (pending?.answered ?? 0),
      unanswered: slot.unanswered + (pending?.unanswered ?? 0),
    });
    if (this.#waiting.size <= MAX_WAITING) return;
    const [oldest] = [...this.#waiting].sort(([, one], [, other]) => one.slotAtMs - other.slotAtMs);
    if (oldest !== undefined) this.#waiting.delete(oldest[0]);
  }
}
