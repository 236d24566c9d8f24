import { OperatorError } from "../../lib/operatorError.ts";
import { beginEarly } from "../compose/early.ts";
import { readSettings } from "../settings/settings.ts";
import { untilStopped } from "./untilStopped.ts";
import type { WorkerNote } from "./workers.ts";

/** Runs one of several processes of a service, started by `workers.ts`, until it is told to end. */
export async function runAsWorker(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const tell = (note: WorkerNote) => process.send?.(note);
  try {
    const settings = readSettings(environment);
    const early = beginEarly(settings);
    const { runService } = await import("../compose/service.ts");
    const running = await runService(settings, { allowsUnknownTiers: true }, early);
    tell({ address: running.address, hasRegistry: running.hasRegistry });
    await untilStopped(running);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    tell({ failure: error.message });
    process.exitCode = 1;
  } finally {
    process.disconnect?.();
  }
}
