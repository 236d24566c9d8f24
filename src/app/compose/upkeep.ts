/** Background work on the registry, by the settings. */
import { RegistryKeeper } from "../../kvk/learning/registryKeeper.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import { Rounds } from "../../snapshot/upkeep/rounds.ts";
import { UpkeepRefused } from "../../snapshot/upkeep/upkeepThread.ts";
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

/**
 * Keeps the registry up from now on, unless another process of this folder does already; then it waits for that one's end. Never throws; failures are
 * logged. A registry that is published elsewhere is kept up there.
 * @returns ends what is under way, at once; the registry is whole whenever that is
 */
export function startUpkeep(
  settings: Settings,
  { live: store, people, suppressed }: StateStore,
  logger: Log["logger"],
  { learnEveryMs, withdrawAfterMs, withdrawEveryMs, now = Date.now }: UpkeepTimes = TIMES,
): { stop(): Promise<void> } {
  const keeper = new RegistryKeeper({
    directory: registryDirectory(settings.DATA_DIR),
    store,
    secret: (name, fresh) => people.secret(name, fresh),
    forgotten: async () =>
      new Set((await suppressed.suppressedCompanies()).map(({ kvkNumber }) => kvkNumber)),
    learns: settings.LEARN,
    keepForMs: settings.KVK_KEEP_FOR * 1_000,
    now,
    onLearned: (companies) => logger.info({ companies }, "what KVK told was added to the registry"),
    onWithdrawn: (done) =>
      logger.info(done, "companies that had to leave were taken out of the files of the registry"),
  });
  const told = (problem: string) => ({
    onProblem: (error: unknown) => {
      const shown = error instanceof UpkeepRefused ? { reason: error.message } : { err: error };
      logger.warn(shown, problem);
    },
    onRecovered: () => logger.info("the registry can be kept up again"),
  });
  const rounds: Rounds[] = [];
  if (settings.LEARN) {
    const round = (signal: AbortSignal) => keeper.learn(signal);
    const problem = told("what KVK told cannot be added to the registry");
    rounds.push(new Rounds({ round, firstAfterMs: 0, everyMs: learnEveryMs, ...problem }));
  }
  if (settings.REGISTRY_URL === undefined) {
    const round = (signal: AbortSignal) => keeper.withdraw(signal);
    const problem = told("what has to leave the registry cannot be taken out");
    rounds.push(new Rounds({ round, firstAfterMs: withdrawAfterMs, everyMs: withdrawEveryMs, ...problem }));
  }
  return {
    async stop() {
      await Promise.all(rounds.map((one) => one.stop()));
      keeper.close();
    },
  };
}
