import { randomUUID } from "node:crypto";
import { PeriodicWrite } from "../../lib/periodicWrite.ts";
import type { NodeStore } from "../../storage/stateStore.ts";
import { programVersion } from "../release.ts";
import type { Settings } from "../settings/settings.ts";

/** Rarely, because each write syncs the disk of an otherwise idle node. */
const REPORT_EVERY_MS = 60_000;
/** The embedded state has one node; a restart after a crash must not count as a second one. */
const ONLY_NODE = "embedded";

/** Records in the state that this node runs, until it is stopped. */
export function reportNode(
  store: Pick<NodeStore, "nodeSeen" | "nodeStopped">,
  { DATABASE_URL }: Pick<Settings, "DATABASE_URL">,
): { stop(): Promise<void> } {
  const id = DATABASE_URL === undefined ? ONLY_NODE : randomUUID();
  const version = programVersion();
  let isStopping = false;
  const report = () => (isStopping ? store.nodeStopped(id) : store.nodeSeen(id, version));
  // An outage of the state is logged elsewhere.
  const reports = new PeriodicWrite(() => report().catch(() => {}), REPORT_EVERY_MS);
  void reports.now();
  return {
    async stop() {
      isStopping = true;
      await reports.close();
    },
  };
}
