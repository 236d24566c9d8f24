import { Worker } from "node:worker_threads";
import type { News, Order, ThreadData } from "./messages.ts";

/** How a thread ended; `error` where one ended it. */
export interface ThreadEnd {
  readonly code: number;
  readonly error: unknown;
}

/**
 * Memory for objects that have just been made. V8 would let it grow to 96 MB in each thread under load, and keep most of it. What a call makes is soon dropped: with 12 MB the
 * collector runs more often, for about a microsecond more of a call.
 */
const MOST_YOUNG_MB = 12;

/** What whoever keeps threads must know. */
export type ThreadNews = Exclude<News, { kind: "log" | "alive" }>;

/** What is told of a thread. */
export interface ThreadListener {
  onNews(thread: OneThread, news: ThreadNews): void;
  onLines(text: string, lines: number): void;
  onEnd(thread: OneThread, end: ThreadEnd): void;
}

/** A thread that answers calls, as the main thread knows it. */
export class OneThread {
  /** Which of so many it is, from 1; the one that takes its place has the same number. */
  readonly nth: number;
  readonly ended: Promise<void>;
  /** The one in whose place it was started. */
  readonly replaces: OneThread | undefined;
  readonly #worker: Worker;
  #state: "starting" | "listening" | "leaving" | "ended" = "starting";
  #hasListened = false;
  /** Since when it owes a sign of life. */
  #lookedAtMs: number | undefined;

  constructor(
    nth: number,
    data: ThreadData,
    { listener, replaces }: { readonly listener: ThreadListener; readonly replaces?: OneThread | undefined },
  ) {
    this.nth = nth;
    this.replaces = replaces;
    this.#worker = new Worker(new URL("./requestThread.ts", import.meta.url), {
      workerData: data,
      transferList: [data.state, data.house],
      name: `requests ${nth}`,
      resourceLimits: { maxYoungGenerationSizeMb: MOST_YOUNG_MB },
    });
    let error: unknown;
    this.#worker.on("message", (news: News) => {
      if (news.kind === "log") {
        listener.onLines(news.text, news.lines);
        this.order({ kind: "logged", length: news.text.length });
        return;
      }
      if (news.kind === "alive") {
        this.#lookedAtMs = undefined;
        return;
      }
      if (news.kind === "listening") {
        this.#hasListened = true;
        if (this.#state === "starting") this.#state = "listening";
      }
      listener.onNews(this, news);
    });
    this.#worker.on("error", (cause) => {
      error = cause;
    });
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    // Comes last, however the thread ended.
    this.#worker.on("exit", (code) => {
      const isExpected = this.isLeaving;
      this.#state = "ended";
      ended.resolve();
      if (!isExpected) listener.onEnd(this, { code, error });
    });
  }

  get isListening(): boolean {
    return this.#state === "listening";
  }

  /** Whether it has, also when it listens no more. */
  get hasListened(): boolean {
    return this.#hasListened;
  }

  get isLeaving(): boolean {
    return this.#state === "leaving";
  }

  get hasEnded(): boolean {
    return this.#state === "ended";
  }

  /** Asks it for a sign of life, unless it owes one. */
  look(): void {
    if (this.#lookedAtMs !== undefined) return;
    this.#lookedAtMs = performance.now();
    this.order({ kind: "look" });
  }

  /** For how long it has owed a sign of life. */
  get silentMs(): number {
    return this.#lookedAtMs === undefined ? 0 : performance.now() - this.#lookedAtMs;
  }

  order(order: Order): void {
    this.#worker.postMessage(order);
  }

  /** Lets it drain and end. Whoever waits for its end may have to {@link kill} it. */
  leave(withinMs: number): void {
    if (this.hasEnded) return;
    this.#state = "leaving";
    this.order({ kind: "leave", withinMs });
  }

  async kill(): Promise<void> {
    await this.#worker.terminate();
  }
}
