import { setTimeout as pause } from "node:timers/promises";
import { listenWhileWaiting } from "../../http/waitingServer.ts";
import { StateAway } from "../../storage/stateStore.ts";
import { workerNumber } from "../cluster/worker.ts";
import { openStateHere } from "../compose/state.ts";
import { withoutSecrets } from "../log/errorFacts.ts";
import { openLog } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { unlessStopped } from "./signals.ts";

const TRY_EVERY_MS = 1_000;
/** Nothing listens while it is tried for the first time. */
const TRY_WITHIN_MS = 2_000;

/**
 * Waits for a database that is away, for a service that could not start: listens meanwhile, so that whoever asks is told so, and tells the outage
 * once.
 * @returns the port on which was listened, when the state is back: the service was told to be there; undefined without a database
 * @throws {StateRefused} when nothing is to be waited for: the reason is the server's of now, not of when it was away
 * @throws {CannotListen | StartStopped}
 */
export async function waitForState(
  settings: Settings,
  stopping: AbortSignal,
): Promise<{ readonly port: number } | undefined> {
  if (settings.DATABASE_URL === undefined) return undefined;
  const first = await unlessStopped(stopping, tryOnce(settings));
  if (first === undefined) return { port: settings.PORT };
  const log = openLog(settings);
  const server = await listenWhileWaiting(settings.HOST, settings.PORT, {
    isShared: workerNumber() !== undefined,
  });
  const sinceMs = performance.now();
  const since = new Date().toISOString();
  try {
    const { address } = server;
    log.logger.error(
      { address, reason: withoutSecrets(first.message) },
      "the state cannot be used: calls are refused until it is there",
    );
    log.flushSoon();
    for (;;) {
      await unlessStopped(stopping, pause(TRY_EVERY_MS));
      const now = await unlessStopped(stopping, tryOnce(settings));
      if (now !== undefined) continue;
      const lastedMs = Math.round(performance.now() - sinceMs);
      log.logger.info({ since, lastedMs, refused: server.refused }, "the state can be used again");
      return { port: server.port };
    }
  } finally {
    await server.close();
    await log.flush();
  }
}

/** Opens the state. @returns why it is away, if it is @throws {StateRefused} when waiting would not help */
async function tryOnce(settings: Settings): Promise<StateAway | undefined> {
  try {
    await (await openStateHere(settings, TRY_WITHIN_MS)).close();
    return undefined;
  } catch (error) {
    if (error instanceof StateAway) return error;
    throw error;
  }
}
