import { portToShare } from "../../http/server.ts";
import type { ServiceOptions } from "../compose/service.ts";
import { withState } from "../compose/state.ts";
import { openLog } from "../log/log.ts";
import { readRelease } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { UnknownTiers, unknownTiers } from "../unknownTiers.ts";
import { DRAIN_WITHIN_MS, type Running } from "./untilStopped.ts";
import { startWorkers } from "./workers.ts";

/** A worker that has not ended so long after the time to drain is killed. */
const KILL_AFTER_MS = 700;

/**
 * The service by several processes on one address, of which those that end by themselves are replaced.
 * @throws {UnknownTiers} when accounts have tiers that the settings lack, and that is not allowed
 */
export async function runWorkers(
  settings: Settings,
  { allowsUnknownTiers = false }: ServiceOptions = {},
): Promise<Running> {
  // Asked here alone: a worker that replaces another must start, whatever has become of the accounts meanwhile.
  if (!allowsUnknownTiers) {
    const unknown = await withState(settings, (state) => unknownTiers(state.accounts, settings.TIERS_FILE));
    if (unknown.length > 0) throw new UnknownTiers(unknown);
  }
  const log = openLog(settings);
  log.logger.info(await readRelease(), "starting");
  const running = await startWorkers({
    count: settings.WORKERS,
    port: await portToShare(settings.HOST, settings.PORT),
    stopWithinMs: DRAIN_WITHIN_MS + KILL_AFTER_MS,
    onLost: (lost) => {
      log.logger.error(lost, "a worker ended by itself and is replaced");
      log.flushSoon();
    },
  });
  return {
    ...running,
    escaped: (error) => log.escaped(error),
    async stop(withinMs) {
      await running.stop(withinMs);
      await log.flush();
    },
  };
}
