import { PeriodicWrite } from "../../lib/periodicWrite.ts";
import type { StateCode } from "../numbers/states.ts";
import { NOT_ASKED } from "./codes.ts";
import type { ViesResult } from "./results.ts";

/** What became of the questions about numbers of one state within one slot. */
export interface ViesSlot {
  /** Two letters, as VIES writes them: `EL` for Greece. */
  readonly state: string;
  /** When the slot began, Unix milliseconds; a multiple of {@link SLOT_MS}. */
  readonly slotAtMs: number;
  readonly answered: number;
  readonly unanswered: number;
}

/** What the history needs of a state store. */
export interface ViesHistoryStore {
  /** Adds to what is counted, and deletes slots that began before a moment (Unix milliseconds). */
  addViesSlots(slots: readonly ViesSlot[], forgetBeforeMs: number): Promise<void>;
  /** The slots that began at a moment or later, by state and time. */
  viesSlots(sinceMs: number): Promise<readonly ViesSlot[]>;
}

export interface ViesHistoryOptions {
  readonly store: ViesHistoryStore;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The store could not take the counts now; they are kept and written later. */
  readonly onError: (error: unknown) => void;
}

export const SLOT_MS = 30 * 60_000;
export const HISTORY_MS = 24 * 3_600_000;
const WRITE_EVERY_MS = 60_000;
const BELIEVED_FOR_MS = 15_000;
/** Counts of so many slots wait for a store that is away; what is older is forgotten. */
const MOST_WAITING = 28 * 4;

/**
 * Counts which questions VIES answered, by state and half hour, and writes the counts once a minute, so that every node tells the
 * same day. Questions that never reached VIES, and those that a caller or this service cut short, say nothing of it and are not counted.
 */
export class ViesHistory {
  readonly #store: ViesHistoryStore;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  #waiting = new Map<string, ViesSlot>();
  #told: { readonly atMs: number; readonly slots: Promise<readonly ViesSlot[]> } | undefined;
  readonly #writes = new PeriodicWrite(() => this.#writeAll(), WRITE_EVERY_MS);

  constructor({ store, now, onError }: ViesHistoryOptions) {
    this.#store = store;
    this.#now = now;
    this.#onError = onError;
  }

  observe(state: StateCode, result: ViesResult): void {
    if (result === NOT_ASKED || (result.kind === "no-answer" && result.scope === "call")) return;
    const isAnswer = result.kind !== "no-answer";
    this.#add({
      state,
      slotAtMs: Math.floor(this.#now() / SLOT_MS) * SLOT_MS,
      answered: isAnswer ? 1 : 0,
      unanswered: isAnswer ? 0 : 1,
    });
  }

  /** The last twenty-four hours of all nodes, as of a moment ago. @throws when the store is away */
  lastDay(): Promise<readonly ViesSlot[]> {
    const nowMs = this.#now();
    const age = nowMs - (this.#told?.atMs ?? Number.NEGATIVE_INFINITY);
    if (this.#told === undefined || age < 0 || age >= BELIEVED_FOR_MS) {
      const slots = this.#store.viesSlots(nowMs - HISTORY_MS);
      this.#told = { atMs: nowMs, slots };
      // A failure is told to who asks now, and not kept for who asks next.
      slots.catch(() => {
        if (this.#told?.slots === slots) this.#told = undefined;
      });
    }
    return this.#told.slots;
  }

  /** Writes what was counted since. Never rejects. */
  write(): Promise<void> {
    return this.#writes.now();
  }

  /** Writes what is left and counts no more. */
  close(): Promise<void> {
    return this.#writes.close();
  }

  async #writeAll(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const slots = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await this.#store.addViesSlots(slots, this.#now() - HISTORY_MS - SLOT_MS);
    } catch (error) {
      for (const slot of slots) this.#add(slot);
      this.#onError(error);
    }
  }

  #add(slot: ViesSlot): void {
    const key = `${slot.slotAtMs} ${slot.state}`;
    const held = this.#waiting.get(key);
    this.#waiting.set(key, {
      ...slot,
      answered: slot.answered + (held?.answered ?? 0),
      unanswered: slot.unanswered + (held?.unanswered ?? 0),
    });
    if (this.#waiting.size <= MOST_WAITING) return;
    const [oldest] = [...this.#waiting].sort(([, one], [, other]) => one.slotAtMs - other.slotAtMs);
    if (oldest !== undefined) this.#waiting.delete(oldest[0]);
  }
}
