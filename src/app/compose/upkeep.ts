/** What a service does to its registry beside its calls, as the settings name it. */
import { createHash, randomBytes } from "node:crypto";
import { isLearned } from "../../company/learned.ts";
import { KVK_API_ORIGIN } from "../../kvk/api/kvkApi.ts";
import { Learner } from "../../kvk/learning/learner.ts";
import type { Lock } from "../../lib/fileLock.ts";
import { readPointer } from "../../snapshot/directory.ts";
import { takeKeeping } from "../../snapshot/lock.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import { noteRead, readCursor } from "../../snapshot/upkeep/learnedCursor.ts";
import { Rounds } from "../../snapshot/upkeep/rounds.ts";
import { UpkeepRefused, UpkeepThread } from "../../snapshot/upkeep/upkeepThread.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";

/** When it is done; tests have it done sooner. */
export interface UpkeepTimes {
  /** Between two looks at what KVK told. */
  readonly learnEveryMs: number;
  /** Before companies that must leave are taken out for the first time. */
  readonly withdrawAfterMs: number;
  readonly withdrawEveryMs: number;
  /** The clock, Unix milliseconds. */
  readonly now?: () => number;
}

/** What is told is found within a minute; what must be forgotten is in no file within a day. */
const TIMES: UpkeepTimes = {
  learnEveryMs: 15_000,
  withdrawAfterMs: 300_000,
  withdrawEveryMs: 6 * 3_600_000,
};

export interface Upkeep {
  /** Ends what is under way, at once; the registry is whole whenever that is. */
  stop(): Promise<void>;
}

/** The name of the secret by which nodes know a state again. */
const STATE_NAME = "learning";

/**
 * Keeps the registry up from now on, unless another process of this folder does already; then it waits for that one's end. Never throws; failures are told.
 * A registry that is published elsewhere is kept up there.
 */
export function startUpkeep(
  settings: Settings,
  state: StateStore,
  logger: Log["logger"],
  times: UpkeepTimes = TIMES,
): Upkeep {
  const keeper = new Keeper(settings, state, logger, times.now ?? Date.now);
  const rounds = [
    ...(settings.LEARN
      ? [
          keeper.rounds("what KVK told cannot be added to the registry", {
            round: (signal) => keeper.learn(signal),
            firstAfterMs: 0,
            everyMs: times.learnEveryMs,
          }),
        ]
      : []),
    ...(settings.REGISTRY_URL === undefined
      ? [
          keeper.rounds("what has to leave the registry cannot be taken out", {
            round: (signal) => keeper.withdraw(signal),
            firstAfterMs: times.withdrawAfterMs,
            everyMs: times.withdrawEveryMs,
          }),
        ]
      : []),
  ];
  return {
    async stop() {
      await Promise.all(rounds.map((one) => one.stop()));
      keeper.close();
    },
  };
}

class Keeper {
  readonly #settings: Settings;
  readonly #state: StateStore;
  readonly #logger: Log["logger"];
  readonly #directory: string;
  readonly #keepForMs: number;
  readonly #now: () => number;
  #lock: Lock | undefined;
  #learner: Learner | undefined;
  /** The work that was begun last: one piece after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(settings: Settings, state: StateStore, logger: Log["logger"], now: () => number) {
    this.#settings = settings;
    this.#state = state;
    this.#logger = logger;
    this.#directory = registryDirectory(settings.DATA_DIR);
    this.#keepForMs = settings.KVK_KEEP_FOR * 1_000;
    this.#now = now;
  }

  rounds(
    problem: string,
    work: Pick<ConstructorParameters<typeof Rounds>[0], "round" | "firstAfterMs" | "everyMs">,
  ): Rounds {
    return new Rounds({
      ...work,
      round: (signal) => this.#inTurn(() => work.round(signal)),
      onProblem: (error) => {
        const shown = error instanceof UpkeepRefused ? { reason: error.message } : { err: error };
        this.#logger.warn(shown, problem);
      },
      onRecovered: () => this.#logger.info("the registry can be kept up again"),
    });
  }

  async learn(signal: AbortSignal): Promise<void> {
    if (!this.#isKeeper()) return;
    this.#learner ??= new Learner({
      directory: this.#directory,
      store: this.#state.live,
      state: await this.#stateName(),
      origin: KVK_API_ORIGIN,
      keepForMs: this.#keepForMs,
      forgotten: () => this.#forgotten(),
      now: this.#now,
      onLearned: (companies) => this.#logger.info({ companies }, "what KVK told was added to the registry"),
    });
    await this.#learner.round(signal);
  }

  async withdraw(signal: AbortSignal): Promise<void> {
    const forgotten = await this.#forgotten();
    if (!this.#mayHold(forgotten) || !this.#isKeeper()) return;
    const name = this.#settings.LEARN ? await this.#stateName() : undefined;
    const cursor = name === undefined ? undefined : readCursor(this.#directory, name);
    const thread = new UpkeepThread(signal);
    try {
      const learnedBeforeMs = this.#now() - this.#keepForMs;
      const done = await thread.withdraw(this.#directory, { forgotten, learnedBeforeMs });
      if (done === undefined || done.files === 0) return;
      if (name !== undefined && cursor !== undefined) noteRead(this.#directory, name, cursor);
      this.#logger.info(done, "companies that had to leave were taken out of the files of the registry");
    } finally {
      await thread.end();
    }
  }

  close(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** Does a piece of work after the one before. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Whether it is for this process to do it, rather than for another one of the same folder. */
  #isKeeper(): boolean {
    this.#lock ??= takeKeeping(this.#directory);
    return this.#lock !== undefined;
  }

  /** Whether there may be something to take out. */
  #mayHold(forgotten: ReadonlySet<string>): boolean {
    const pointer = readPointer(this.#directory);
    const origins = [pointer?.current, pointer?.previous].flatMap((info) => info?.origins ?? []);
    return pointer !== undefined && (forgotten.size > 0 || origins.some(({ origin }) => isLearned(origin)));
  }

  async #forgotten(): Promise<ReadonlySet<string>> {
    const all = await this.#state.suppressed.suppressedCompanies();
    return new Set(all.map(({ kvkNumber }) => kvkNumber));
  }

  /** A word by which this state is known again, which moves with it; of the secret only its hash. */
  async #stateName(): Promise<string> {
    const secret = await this.#state.people.secret(STATE_NAME, randomBytes(16).toString("hex"));
    return createHash("sha256").update(secret).digest("hex").slice(0, 16);
  }
}
