import { setTimeout as pause } from "node:timers/promises";
import { StateUnreachable } from "../../database/stateErrors.ts";
import { workerNumber } from "../cluster/worker.ts";
import { openCommandState } from "../compose/state.ts";
import { withoutSecrets } from "../log/errorFacts.ts";
import { openLog } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { orStopped } from "./signals.ts";
import { listenWhileWaiting } from "./waitingServer.ts";

const TRY_EVERY_MS = 1_000;
/** The timeout of the first attempt, during which nothing listens. */
const TRY_WITHIN_MS = 2_000;

/**
 * Waits for an unavailable database when a service could not start. Listens in the meantime, so that calls get a
 * response, and logs the outage once.
 * @returns the port on which it listened, once the state is available; undefined without a database
 * @throws {StateRefused} if waiting is pointless, with the server's current reason
 * @throws {CannotListen | StartCancelled}
 */
export async function waitForState(
  settings: Settings,
  stopping: AbortSignal,
): Promise<{ readonly port: number } | undefined> {
  if (settings.DATABASE_URL === undefined) return undefined;
  const first = await orStopped(stopping, tryOnce(settings));
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
      "the state cannot be used yet: calls are refused until it is available",
    );
    log.flushSoon();
    for (;;) {
      await orStopped(stopping, pause(TRY_EVERY_MS));
      const now = await orStopped(stopping, tryOnce(settings));
      if (now !== undefined) continue;
      const lastedMs = Math.round(performance.now() - sinceMs);
      log.logger.info({ since, lastedMs, refused: server.refused }, "the state store is available again");
      return { port: server.port };
    }
  } finally {
    await server.close();
    await log.flush();
  }
}

/** Opens the state. @returns why it is unavailable, if it is @throws {StateRefused} if waiting would not help */
async function tryOnce(settings: Settings): Promise<StateUnreachable | undefined> {
  try {
    await (await openCommandState(settings, TRY_WITHIN_MS)).close();
    return undefined;
  } catch (error) {
    if (error instanceof StateUnreachable) return error;
    throw error;
  }
}
