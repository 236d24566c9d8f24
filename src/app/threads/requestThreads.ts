import { OperatorError } from "../../lib/operatorError.ts";
import type { HandedSnapshot } from "../../snapshot/snapshotFile.ts";
import type { SeenThreads } from "../metrics/threads.ts";
import type { Order, ThreadData } from "./messages.ts";
import { OneThread, type ThreadEnd, type ThreadNews } from "./oneThread.ts";
import { Swaps } from "./swaps.ts";
import { countedName } from "./threadCounts.ts";

/** A thread could not start; the message is its own. */
export class ThreadRefused extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ThreadRefused";
  }
}

/** A thread that ended by itself, or is to be replaced after an error that nobody caught. */
export interface Lost {
  readonly thread: number;
  /** Absent while it goes on until another one has taken its place. */
  readonly code?: number;
  readonly err?: unknown;
  readonly againInMs: number;
}

export interface ThreadsOptions {
  readonly count: number;
  /** What a new thread is given, by its number; its ports move there. */
  readonly dataFor: (nth: number) => ThreadData;
  /** A thread has ended, with the data that it was given. */
  readonly onEnded: (data: ThreadData) => void;
  readonly onLines: (text: string, lines: number) => void;
  readonly onLost: (lost: Lost) => void;
  /** One that was started in the place of another listens. */
  readonly onReplaced: (thread: number) => void;
  /** A thread could not serve a snapshot, which has to be handed to it again. */
  readonly onNotTaken: (problem: unknown) => void;
}

/** A second loss in a row is waited after for so long, each further one for twice as long. */
const AGAIN_AFTER_MS = 250;
const AGAIN_AFTER_AT_MOST_MS = 8_000;
/** A thread that listened for so long shows that threads can. */
const PROVEN_AFTER_MS = 10_000;
/** What is under way in a thread in which nobody caught an error may take so long once another one listens. */
const REPLACED_WITHIN_MS = 2_000;
/** How often they are asked for a sign of life, where somebody wants to know. */
const LOOK_EVERY_MS = 1_000;
/** What has not ended so long after the time to drain is killed. */
const KILL_AFTER_MS = 700;

/**
 * Threads that answer calls on one address and share its connections out (SO_REUSEPORT). One that ends by itself is replaced, later each time
 * while the new ones do not stay either; one in which nobody caught an error goes on until its replacement listens.
 */
export class RequestThreads {
  readonly #options: ThreadsOptions;
  readonly #all = new Set<OneThread>();
  /** Those for which another one was started, or is about to be. */
  readonly #replaced = new WeakSet<OneThread>();
  readonly #started = Promise.withResolvers<string>();
  readonly #swaps = new Swaps();
  readonly #timers = new Set<NodeJS.Timeout>();
  #begun = false;
  #snapshot: HandedSnapshot | undefined;
  #isBehind = false;
  #isDraining = false;
  /** Where they listen; 0 until the first has taken a free one, undefined until that is known to be possible. */
  #port: number | undefined;
  /** Undefined until one listens. */
  #address: string | undefined;
  #hasStarted = false;
  #isStopping = false;
  #failures = 0;
  #lost = 0;
  #looking: NodeJS.Timeout | undefined;

  /** Starts the first thread at once, which loads the program meanwhile; the others when it listens, so that nothing holds up the first answer. */
  constructor(options: ThreadsOptions) {
    this.#options = options;
    // Who awaits it may not be there yet.
    this.#started.promise.catch(() => {});
    this.#start(1);
  }

  /** How many answer calls. */
  get count(): number {
    return this.#options.count;
  }

  /** Whether one listens, or did. */
  get isAnswering(): boolean {
    return this.#address !== undefined;
  }

  /** Their address, once all listen. @throws {ThreadRefused} (the promise) when one of them could not start */
  get started(): Promise<string> {
    return this.#started.promise;
  }

  /** Lets them listen on a port, 0 for any that is free, with the snapshot that they were handed. */
  begin(port: number): void {
    this.#port = port;
    this.#begun = true;
    for (const thread of this.#all) thread.order({ kind: "begin", snapshot: this.#snapshot });
  }

  /** Hands a snapshot to all. Fulfilled when all serve it, or have told why they cannot. */
  serve(snapshot: HandedSnapshot): Promise<void> {
    this.#snapshot = snapshot;
    if (!this.#begun) return Promise.resolve();
    return this.#swaps.hand(
      snapshot,
      [...this.#all].filter(({ isLeaving }) => !isLeaving),
    );
  }

  /** Tells all whether the registry may be out of date. */
  behind(isBehind: boolean): void {
    this.#isBehind = isBehind;
    this.#orderAll({ kind: "behind", isBehind });
  }

  /** Has all say to whoever asks that calls should go elsewhere. */
  announceDraining(): void {
    this.#isDraining = true;
    this.#orderAll({ kind: "announce" });
  }

  /** Asks those that listen for a sign of life from now on. */
  watch(): void {
    this.#looking = setInterval(() => {
      for (const thread of this.#listening) thread.look();
    }, LOOK_EVERY_MS).unref();
  }

  /** How they fare; with how long they have been silent once they are watched. */
  get seen(): SeenThreads {
    const silent = this.#listening.map(({ nth, silentMs }) => ({ thread: countedName(nth), ms: silentMs }));
    return { listening: silent.length, lost: this.#lost, silent };
  }

  /** Lets all drain and end; those that take longer are killed. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#looking);
    for (const timer of this.#timers) clearTimeout(timer);
    const all = [...this.#all];
    for (const thread of all) thread.leave(withinMs);
    const kill = killLater(all, withinMs + KILL_AFTER_MS);
    await endOf(all.filter(({ hasListened }) => hasListened));
    // One that still loads the program does not hear that it is to leave, and has nothing to drain.
    const killStarting = killLater(
      all.filter(({ hasListened }) => !hasListened),
      KILL_AFTER_MS,
    );
    await endOf(all);
    clearTimeout(kill);
    clearTimeout(killStarting);
  }

  get #listening(): OneThread[] {
    return [...this.#all].filter(({ isListening }) => isListening);
  }

  #orderAll(order: Order): void {
    for (const thread of this.#all) thread.order(order);
  }

  #start(nth: number, replaces?: OneThread): void {
    const data = this.#options.dataFor(nth);
    const thread = new OneThread(nth, data, {
      replaces,
      listener: {
        onLines: this.#options.onLines,
        onNews: (one, news) => this.#heard(one, news),
        onEnd: (one, end) => this.#ended(one, end),
      },
    });
    this.#all.add(thread);
    void thread.ended.then(() => {
      this.#forget(thread);
      this.#options.onEnded(data);
    });
    if (this.#isBehind) thread.order({ kind: "behind", isBehind: true });
    if (this.#isDraining) thread.order({ kind: "announce" });
    if (this.#begun) thread.order({ kind: "begin", snapshot: this.#snapshot });
  }

  #heard(thread: OneThread, news: ThreadNews): void {
    if (news.kind === "ready") this.#letListen(thread);
    else if (news.kind === "listening") this.#listens(thread, news);
    else if (news.kind === "took") this.#took(thread, news);
    else if (news.kind === "escaped") this.#replace(thread, {});
    else this.#started.reject(new ThreadRefused(news.message));
  }

  /** The first takes any free port where none is named, and the others the same. */
  #letListen(thread: OneThread): void {
    if (this.#port === undefined || this.#isStopping) return;
    thread.order({ kind: "listen", port: this.#port, isAlone: this.#address === undefined });
  }

  #listens(thread: OneThread, { port, address }: Extract<ThreadNews, { kind: "listening" }>): void {
    this.#port = port;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (thread.isListening) this.#failures = 0;
    }, PROVEN_AFTER_MS).unref();
    this.#timers.add(timer);
    if (thread.replaces !== undefined) {
      thread.replaces.leave(REPLACED_WITHIN_MS);
      this.#options.onReplaced(thread.nth);
    }
    if (this.#address === undefined && !this.#isStopping) {
      for (let nth = 2; nth <= this.#options.count; nth++) this.#start(nth);
    }
    this.#address = address;
    this.#noteStart();
  }

  /** All listen, but for those that are replaced while others still started. */
  #noteStart(): void {
    if (this.#hasStarted || this.#address === undefined) return;
    const all = [...this.#all];
    if (!all.some(({ isListening }) => isListening)) return;
    if (!all.every(({ isListening, isLeaving }) => isListening || isLeaving)) return;
    this.#hasStarted = true;
    this.#started.resolve(this.#address);
    // What came before there was anybody to share it with is shared by its next connection.
    this.#orderAll({ kind: "share" });
  }

  #took(thread: OneThread, { nth, problem }: Extract<ThreadNews, { kind: "took" }>): void {
    if (problem !== undefined) this.#options.onNotTaken(problem);
    this.#swaps.took(thread, nth);
  }

  /** It ended by itself. Before all listen that ends the start, but for one that had shown that it can listen, or takes the place of such a one. */
  #ended(thread: OneThread, { code, error }: ThreadEnd): void {
    if (this.#isStopping) return;
    if (!this.#hasStarted && !thread.hasListened && thread.replaces === undefined) {
      this.#started.reject(
        new ThreadRefused(`a thread ended (code ${code}) before it listened: ${textOf(error)}`, error),
      );
      return;
    }
    if (this.#replaced.has(thread)) return;
    this.#replace(thread, { code, ...(error !== undefined && { err: error }) });
  }

  #replace(thread: OneThread, facts: Omit<Lost, "thread" | "againInMs">): void {
    if (this.#isStopping) return;
    this.#replaced.add(thread);
    const againInMs =
      this.#failures === 0 ? 0 : Math.min(AGAIN_AFTER_MS * 2 ** (this.#failures - 1), AGAIN_AFTER_AT_MOST_MS);
    this.#failures += 1;
    this.#lost += 1;
    this.#options.onLost({ thread: thread.nth, ...facts, againInMs });
    // One that could not start was to take the place of another, which may still be there.
    const inPlaceOf = thread.hasEnded ? (thread.replaces ?? thread) : thread;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(thread.nth, inPlaceOf);
    }, againInMs);
    this.#timers.add(timer);
  }

  #forget(thread: OneThread): void {
    this.#all.delete(thread);
    this.#noteStart();
    this.#swaps.ended(thread);
  }
}

function killLater(threads: readonly OneThread[], afterMs: number): NodeJS.Timeout {
  return setTimeout(() => {
    for (const thread of threads) void thread.kill();
  }, afterMs);
}

async function endOf(threads: readonly OneThread[]): Promise<void> {
  await Promise.all(threads.map(({ ended }) => ended));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : "its lines in the log say why";
}
