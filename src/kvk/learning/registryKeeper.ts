/** Keeps a registry up to date: adds answers of KVK, and removes companies that must leave. */
import { createHash, randomBytes } from "node:crypto";
import { isLearned } from "../../company/learned.ts";
import type { Lock } from "../../lib/fileLock.ts";
import { readPointer } from "../../snapshot/directory.ts";
import { takeKeeping } from "../../snapshot/lock.ts";
import { noteRead, readCursor } from "../../snapshot/upkeep/learnedCursor.ts";
import { UpkeepThread } from "../../snapshot/upkeep/upkeepThread.ts";
import { KVK_API_ORIGIN } from "../api/kvkApi.ts";
import type { LiveStore } from "../store.ts";
import { Learner } from "./learner.ts";

/** The name of the secret by which nodes know a state again. */
const STATE_NAME = "learning";

export interface RegistryKeeperParts {
  /** Of the registry. */
  readonly directory: string;
  readonly store: Pick<LiveStore, "toldSince" | "newsAfter">;
  /** A secret of the state, which is `fresh` unless there is one. */
  readonly secret: (name: string, fresh: string) => Promise<string>;
  /** The KVK numbers of suppressed companies. */
  readonly forgotten: () => Promise<ReadonlySet<string>>;
  /** Whether answers of KVK are added. */
  readonly learns: boolean;
  /** How long answers of KVK may be kept. */
  readonly keepForMs: number;
  /** The clock, Unix milliseconds. */
  readonly now: () => number;
  /** Called with how many companies were added. */
  readonly onLearned: (companies: number) => void;
  /** Called with what was taken out of how many files. */
  readonly onWithdrawn: (done: object) => void;
}

/** Does one piece of work after the other, in one process of a folder: the first one that begins, until it ends. */
export class RegistryKeeper {
  readonly #parts: RegistryKeeperParts;
  #lock: Lock | undefined;
  #learner: Learner | undefined;
  /** The work that was begun last. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: RegistryKeeperParts) {
    this.#parts = parts;
  }

  /** Adds the answers of KVK since the last time. */
  learn(signal: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#learn(signal));
  }

  /** Takes out companies that must be forgotten, and what was learned too long ago. */
  withdraw(signal: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#withdraw(signal));
  }

  close(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  async #learn(signal: AbortSignal): Promise<void> {
    if (!this.#isKeeper()) return;
    const { directory, store, keepForMs, forgotten, now, onLearned } = this.#parts;
    const origin = KVK_API_ORIGIN;
    const state = await this.#stateName();
    this.#learner ??= new Learner({ directory, store, state, origin, keepForMs, forgotten, now, onLearned });
    await this.#learner.round(signal);
  }

  async #withdraw(signal: AbortSignal): Promise<void> {
    const { directory, learns, keepForMs, now, onWithdrawn } = this.#parts;
    const forgotten = await this.#parts.forgotten();
    if (!this.#mayHold(forgotten) || !this.#isKeeper()) return;
    const name = learns ? await this.#stateName() : undefined;
    const cursor = name === undefined ? undefined : readCursor(directory, name);
    const thread = new UpkeepThread(signal);
    try {
      const done = await thread.withdraw(directory, { forgotten, learnedBeforeMs: now() - keepForMs });
      if (done === undefined || done.files === 0) return;
      if (name !== undefined && cursor !== undefined) noteRead(directory, name, cursor);
      onWithdrawn(done);
    } finally {
      await thread.end();
    }
  }

  /** Does a piece of work after the one before. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Whether it is for this process to do it, rather than for another one of the same folder. */
  #isKeeper(): boolean {
    this.#lock ??= takeKeeping(this.#parts.directory);
    return this.#lock !== undefined;
  }

  /** Whether there may be something to take out. */
  #mayHold(forgotten: ReadonlySet<string>): boolean {
    const pointer = readPointer(this.#parts.directory);
    const origins = [pointer?.current, pointer?.previous].flatMap((info) => info?.origins ?? []);
    return pointer !== undefined && (forgotten.size > 0 || origins.some(({ origin }) => isLearned(origin)));
  }

  /** A word by which this state is known again, which moves with it; of the secret only its hash. */
  async #stateName(): Promise<string> {
    const secret = await this.#parts.secret(STATE_NAME, randomBytes(16).toString("hex"));
    return createHash("sha256").update(secret).digest("hex").slice(0, 16);
  }
}
