import { availableParallelism } from "node:os";
import { sharesPorts } from "../../http/server.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import type { Settings } from "../settings/settings.ts";

/** More than these share one writer of the state without being faster by much, and each takes memory. */
const MOST_BY_DEFAULT = 8;

/** Threads cannot share an address on this system, and more than one was asked for. */
export class PortsNotShared extends OperatorError {
  constructor(threads: number) {
    super(`WORKERS=${threads}, and this system lets no threads share a port: set WORKERS=1, or leave it out`);
    this.name = "PortsNotShared";
  }
}

/** How many threads answer calls; `isLess` when the system allows no more than one where there would have been several. */
export interface ThreadCount {
  readonly count: number;
  readonly isLess: boolean;
}

/**
 * How many threads answer the calls of a service.
 * @param canShare whether several can listen on one port; asked where it matters
 * @throws {PortsNotShared} (the promise)
 */
export async function threadCount(
  { WORKERS: asked }: Pick<Settings, "WORKERS">,
  cores: number = availableParallelism(),
  canShare: () => Promise<boolean> = sharesPorts,
): Promise<ThreadCount> {
  const wanted = asked ?? Math.min(cores, MOST_BY_DEFAULT);
  if (wanted === 1 || (await canShare())) return { count: wanted, isLess: false };
  if (asked !== undefined) throw new PortsNotShared(asked);
  return { count: 1, isLess: true };
}
