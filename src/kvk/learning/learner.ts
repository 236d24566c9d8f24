import type { SourcedFacts } from "../../company/facts.ts";
import {
  type LearnedCursor,
  noteRead,
  readCursor,
  writeCursor,
} from "../../snapshot/upkeep/learnedCursor.ts";
import { UpkeepThread } from "../../snapshot/upkeep/upkeepThread.ts";
import type { LiveStore } from "../store.ts";
import { factsFound, factsTold } from "./toldFacts.ts";

export interface LearnerOptions {
  /** The registry's folder. */
  readonly directory: string;
  readonly store: Pick<LiveStore, "toldSince" | "newsAfter">;
  /** A word of its own for the state that is read. */
  readonly state: string;
  /** Of what the live source tells, such as `kvk-api`. */
  readonly origin: string;
  /** What was told before is not learned any more. */
  readonly keepForMs: number;
  /** The KVK numbers that must be forgotten, as the list is now. */
  readonly forgotten: () => Promise<ReadonlySet<string>>;
  /** So many companies are new, or say something else, in the registry. */
  readonly onLearned: (companies: number) => void;
  readonly now?: () => number;
}

/** Companies that are read and made facts of at once: a millisecond of the thread that answers calls. */
const READ_AT_ONCE = 50;
/** The same of what is new, where there may be pages of searches with a hundred rows each: some milliseconds. */
const NEWS_AT_ONCE = 10;
/** Facts that are added by one import, about. */
const ADDED_AT_ONCE = 20_000;
/** What says the same again is written again when a quarter of its time is over. */
const RENEWED_AFTER = 0.25;

/** What is told of a batch: its facts, and how far it reaches. */
interface Batch {
  readonly facts: readonly SourcedFacts[];
  readonly next: LearnedCursor;
  /** Whether there is nothing behind it now. */
  readonly isLast: boolean;
}

/**
 * Reads what a live source told into the registry: first all that is held, then what is new, in the order in which it was committed. How far it came is noted after it was
 * added, so that a kill at any moment has some of it read twice, which changes nothing, and none left out.
 */
export class Learner {
  readonly #options: LearnerOptions;

  constructor(options: LearnerOptions) {
    this.#options = options;
  }

  /** Adds all that is new; while another process changes the registry it is left for the next time. */
  async round(signal: AbortSignal): Promise<void> {
    const { directory, state } = this.#options;
    for (let cursor = readCursor(directory, state); !signal.aborted; ) {
      const thread = new Lazy(signal);
      try {
        const reached = await this.#gather(cursor, thread);
        if (reached.cursor === cursor) return;
        if (!(await this.#learn(reached.cursor, thread))) return;
        if (reached.isLast) return;
        cursor = reached.cursor;
      } finally {
        await thread.end();
      }
    }
  }

  /** Hands facts to the thread, until there are no more or enough for one import. */
  async #gather(
    from: LearnedCursor,
    thread: Lazy,
  ): Promise<{ readonly cursor: LearnedCursor; readonly isLast: boolean }> {
    let cursor = from;
    for (let gathered = 0; gathered < ADDED_AT_ONCE; ) {
      const { facts, next, isLast } = await this.#batch(cursor);
      if (facts.length > 0) thread.started.add(facts);
      gathered += facts.length;
      cursor = next;
      if (isLast) return { cursor, isLast };
    }
    return { cursor, isLast: false };
  }

  async #batch(cursor: LearnedCursor): Promise<Batch> {
    const { store, origin } = this.#options;
    if (cursor.passed !== undefined) {
      const page = await store.toldSince(0, cursor.passed, READ_AT_ONCE);
      const last = page.at(-1);
      const next = last === undefined ? { mark: cursor.mark } : { ...cursor, passed: last.kvkNumber };
      return { facts: this.#young(page.flatMap((told) => factsTold(told, origin))), next, isLast: false };
    }
    const { companies, searches, mark, latest } = await store.newsAfter(cursor.mark, NEWS_AT_ONCE);
    // The state was put back to what it was before: all of it is read anew.
    if (latest < cursor.mark) return { facts: [], next: { mark: 0, passed: "" }, isLast: false };
    const facts = [
      ...companies.flatMap((told) => factsTold(told, origin)),
      ...searches.flatMap((search) => factsFound(search, origin)),
    ];
    const isLast = companies.length + searches.length < NEWS_AT_ONCE;
    return { facts: this.#young(facts), next: mark === cursor.mark ? cursor : { mark }, isLast };
  }

  #young(facts: readonly SourcedFacts[]): readonly SourcedFacts[] {
    const { keepForMs, now = Date.now } = this.#options;
    const fromMs = now() - keepForMs;
    return facts.filter(({ asOf }) => Date.parse(asOf) >= fromMs);
  }

  /** @returns false when another process is changing the registry */
  async #learn(reached: LearnedCursor, thread: Lazy): Promise<boolean> {
    const { directory, state, keepForMs, forgotten, onLearned } = this.#options;
    if (!thread.isStarted) {
      noteRead(directory, state, reached);
      return true;
    }
    const learned = await thread.started.learn({
      directory,
      // As it is after the facts were read: what is put on it since had them deleted first.
      forgotten: await forgotten(),
      renewAfterMs: keepForMs * RENEWED_AFTER,
    });
    if (learned === undefined) return false;
    writeCursor(directory, state, reached, learned.moment);
    if (learned.wrote !== "nothing") onLearned(learned.companies);
    return true;
  }
}

/** A thread that starts when it is first needed: most rounds bring nothing. */
class Lazy {
  readonly #signal: AbortSignal;
  #thread: UpkeepThread | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isStarted(): boolean {
    return this.#thread !== undefined;
  }

  get started(): UpkeepThread {
    this.#thread ??= new UpkeepThread(this.#signal);
    return this.#thread;
  }

  async end(): Promise<void> {
    await this.#thread?.end();
  }
}
