import type { KvkNumber } from "../contract/numbers.ts";

const MAX_ANSWERS = 100;
/** Answers are read again for this long, because some may be stored a little after their own time. */
const OVERLAP_MS = 10_000;

export interface Answered {
  readonly kvkNumber: KvkNumber;
  readonly atMs: number;
}

export interface FeedPage {
  readonly kvkNumbers: readonly KvkNumber[];
  /** Answers until this moment have been read. */
  readonly untilMs: number;
  readonly hasMore: boolean;
}

/** Reads the companies with recent answers, oldest first. */
export class AnswerFeed {
  readonly #read: (sinceMs: number, limit: number) => Promise<readonly Answered[]>;
  /** Where to continue after a full page. */
  #continueMs: number | undefined;

  constructor(read: (sinceMs: number, limit: number) => Promise<readonly Answered[]>) {
    this.#read = read;
  }

  /** @param untilMs answers until this moment have been read before */
  async next(untilMs: number, nowMs: number): Promise<FeedPage> {
    const sinceMs = this.#continueMs ?? untilMs - OVERLAP_MS;
    const page = await this.#read(sinceMs, MAX_ANSWERS);
    const lastMs = page.at(-1)?.atMs ?? 0;
    const hasMore = page.length === MAX_ANSWERS;
    // A page of answers of one millisecond must not be read forever; the daily scan compares the rest.
    this.#continueMs = hasMore ? Math.max(lastMs, sinceMs + 1) : undefined;
    return {
      kvkNumbers: page.map(({ kvkNumber }) => kvkNumber),
      // A clock that is ahead must not hide later answers.
      untilMs: Math.max(untilMs, Math.min(lastMs, nowMs)),
      hasMore,
    };
  }
}
