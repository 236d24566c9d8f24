/** Runs the service for the commands that serve. */

import { existsSync } from "node:fs";
import { reportListening, workerNumber } from "../app/cluster/worker.ts";
import { lockState, upgradeState } from "../app/compose/state.ts";
import { orStopped, withSignals } from "../app/process/signals.ts";
import { type Running, untilStopped } from "../app/process/untilStopped.ts";
import { PAGE_FOLDER } from "../app/release.ts";
import type { Settings } from "../app/settings/settings.ts";
import { StateRefused } from "../database/stateErrors.ts";
import { type CliContext, UsageError } from "./command.ts";

interface ServeOptions {
  /** Start even if accounts have tiers that the settings lack. */
  readonly allowsUnknownTiers?: boolean;
  /** Called when the service listens at `address`. */
  readonly onListening?: (service: { readonly address: string; readonly hasRegistry: boolean }) => void;
}

const PAGES_NOT_BUILT =
  'The account page and the docs page are not built, so / and /docs are missing. Run "npm run prepare", then start again.';

/** Runs the service until SIGTERM, SIGINT or SIGHUP. */
export function serve(
  context: CliContext,
  settings: Settings,
  { onListening, ...options }: ServeOptions = {},
): Promise<void> {
  return withSignals(async (stopping) => {
    refuseWorkersWithoutDatabase(settings);
    context.setTemporaryFolder(settings.DATA_DIR);
    const dataDirLock = lockState(settings, "serve");
    try {
      const running = await startService(settings, { ...options, stopping });
      // The primary process prints it once for all workers.
      if (workerNumber() === undefined) {
        onListening?.(running);
        if (!existsSync(PAGE_FOLDER)) context.err(PAGES_NOT_BUILT);
      }
      await untilStopped(running);
    } finally {
      dataDirLock?.release();
    }
  });
}

function refuseWorkersWithoutDatabase({ WORKERS, DATABASE_URL }: Settings): void {
  if (WORKERS === 1 || DATABASE_URL !== undefined) return;
  throw new UsageError(
    `WORKERS=${WORKERS} needs DATABASE_URL: several processes share their state in PostgreSQL, but the embedded state belongs to one process: set DATABASE_URL=postgres://…, or unset WORKERS`,
  );
}

/** Starts the service in this process, or as the primary process of several workers that run the same command. */
async function startService(
  settings: Settings,
  options: Pick<ServeOptions, "allowsUnknownTiers"> & { readonly stopping: AbortSignal },
): Promise<Running> {
  const worker = workerNumber();
  if (worker === undefined && settings.WORKERS > 1) {
    return (await import("../app/cluster/primary.ts")).runWorkers(settings, options);
  }
  const early = (await import("../app/compose/early.ts")).openEarly(settings);
  const { runService } = await import("../app/compose/service.ts");
  const running = await runService(settings, { ...options, worker }, early);
  reportListening(running);
  return running;
}

/**
 * Runs work that needs the state until SIGTERM, SIGINT or SIGHUP, which are handled from the start. With `waits` it
 * restarts the work when an unreachable database is available again.
 */
export function withItsState(
  context: CliContext,
  work: (settings: Settings, stopping: AbortSignal) => Promise<void>,
  { waits }: { readonly waits: boolean },
): Promise<void> {
  return withSignals(async (stopping) => {
    for (let settings = context.settings(); ; ) {
      try {
        return await work(settings, stopping);
      } catch (error) {
        if (!waits || !(error instanceof StateRefused)) throw error;
        const { waitForState } = await import("../app/process/waitForState.ts");
        const back = await waitForState(settings, stopping);
        if (back === undefined) throw error;
        settings = { ...settings, PORT: back.port };
      }
    }
  });
}

/** Upgrades the state to this version, irreversibly, and writes that to the service's log. */
export async function upgradeForService(settings: Settings, stopping?: AbortSignal): Promise<void> {
  const upgrading = upgradeState(settings);
  const upgrade = await (stopping === undefined ? upgrading : orStopped(stopping, upgrading));
  if (upgrade === undefined) return;
  const log = (await import("../app/log/log.ts")).openLog(settings);
  log.logger.info(upgrade, `state upgraded from ${upgrade.from} to ${upgrade.to}`);
  await log.flush();
}
