/** Runs a service by several threads that answer calls. This one holds what there must be one of, and answers none. */
import { MessageChannel } from "node:worker_threads";
import type { HandingRegistry } from "../../snapshot/registry.ts";
import { newTraceSecret } from "../../tracing/chosen.ts";
import { beginEarly } from "../compose/early.ts";
import type { OwnHouse } from "../compose/house.ts";
import type { ServiceOptions } from "../compose/service.ts";
import type { OwnLog } from "../log/log.ts";
import type { Running } from "../process/untilStopped.ts";
import type { Settings } from "../settings/settings.ts";
import { RequestThreads } from "./requestThreads.ts";
import { ThreadCounts } from "./threadCounts.ts";

/**
 * Starts the first thread, then loads what this one does; that one loads the program meanwhile, and the others when it listens.
 * @throws {UnknownTiers} when accounts have tiers that the settings lack, and that is not allowed
 * @throws {ThreadRefused | CannotListen} when a thread cannot start, or the address cannot be used
 * @throws {StartStopped} when it was told to end before all listened
 */
export async function serveOnThreads(
  settings: Settings,
  count: number,
  options: ServiceOptions = {},
): Promise<Running> {
  const early = beginEarly(settings);
  const traceSecret = newTraceSecret();
  // What a thread tells before the log is there waits for it, in its order.
  const opened = Promise.withResolvers<OwnLog>();
  const tell = (say: (log: OwnLog) => void) => void opened.promise.then(say);
  const house = Promise.withResolvers<OwnHouse>();
  const registry = Promise.withResolvers<HandingRegistry>();
  const counts = new ThreadCounts(
    settings.METRICS_PORT === undefined
      ? undefined
      : new (await import("../metrics/recorders.ts")).Recorders(),
  );
  const threads = new RequestThreads({
    count,
    dataFor(nth) {
      const { port1: theirs, port2: ours } = new MessageChannel();
      // What is said before the house is there waits in the port.
      void house.promise.then(({ desk }) => desk.serve(ours));
      const state = early.stateThread.connect();
      return { settings, state, house: theirs, counts: counts.of(nth), threads: count, traceSecret };
    },
    onEnded: (data) => counts.ended(data.counts),
    onLines: (text, lines) => tell((log) => log.writeLines(text, lines)),
    onLost: (lost) =>
      tell((log) => {
        log.logger.error(lost, "a thread that answers calls is lost and is replaced");
        log.flushSoon();
      }),
    onReplaced: (thread) =>
      tell((log) => {
        log.logger.info({ thread }, "a thread answers calls in the place of one that was lost");
        log.flushSoon();
      }),
    onNotTaken: (problem) => {
      tell(({ logger }) =>
        logger.error(
          { err: problem },
          "a registry snapshot cannot be used by a thread and is handed to it again",
        ),
      );
      void registry.promise.then((handing) => handing.handAgain());
    },
  });
  const [{ startMainThread }, { openLog }] = await Promise.all([
    import("./mainThread.ts"),
    import("../log/log.ts"),
  ]);
  const log = openLog(settings);
  opened.resolve(log);
  return startMainThread(settings, { early, log, threads, counts, house, registry }, options);
}
