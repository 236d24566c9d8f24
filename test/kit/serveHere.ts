import { runService } from "../../src/app/compose/service.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { afterFile } from "./afterFile.ts";
import { prepareState } from "./preparedState.ts";
import type { World } from "./world.ts";

/** Where a service can be called. */
export interface Served {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  readonly port: number;
}

/** Calls that hang on purpose are not waited for. */
const STOPS_WITHIN_MS = 1_000;

/**
 * Runs what `opzoek serve` runs, in this process and without its log, for tests that only call it: starting a process
 * takes most of a second of a core. It is stopped when the file's tests have ended.
 */
export async function serveHere({ environment }: Pick<World, "environment">): Promise<Served> {
  const settings = readSettings({ ...environment, LOG_LEVEL: "silent" });
  if (settings.DATABASE_URL === undefined) await prepareState(settings.DATA_DIR);
  const running = await runService(settings);
  afterFile(() => running.stop(STOPS_WITHIN_MS));
  const { address } = running;
  return { address, port: Number(new URL(address).port) };
}
