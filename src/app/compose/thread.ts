/** Builds what one of several threads answers calls with. */
import type { MessagePort } from "node:worker_threads";
import type { FastifyInstance } from "fastify";
import type { Registry } from "../../snapshot/types.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { houseOver } from "../house/houseOver.ts";
import { FailureLog } from "../log/failureLog.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { startCounting } from "./metrics.ts";
import { composeRequests } from "./requests.ts";

export interface ThreadParts {
  readonly state: StateStore;
  /** To what there is one of, which the main thread serves. */
  readonly house: MessagePort;
  readonly registry: Registry;
  readonly log: Log;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind: () => boolean;
  /** Where the thread counts, where metrics are wanted. */
  readonly counts: SharedArrayBuffer | undefined;
  /** So many answer calls. */
  readonly threads: number;
  /** By which traces are chosen, the same in all of them. */
  readonly traceSecret: string;
}

export interface ThreadService {
  readonly app: FastifyInstance;
  /** From now on `/readyz` says that calls should go elsewhere. */
  announceDraining(): void;
  /** Asks for nothing more of what there is one of: who waits for VIES or KVK is told what is held. */
  closeUpstreams(): void;
  /** Writes what is still counted here; after the app was closed. */
  close(): Promise<void>;
}

/** Builds it; nothing listens yet. */
export async function composeThread(settings: Settings, parts: ThreadParts): Promise<ThreadService> {
  const { logger } = parts.log;
  const counting = parts.counts && (await startCounting(parts.counts));
  const recorder = counting?.recorder;
  const failures = new FailureLog(logger, () => recorder?.storeFailed());
  const state = failures.watch(parts.state);
  const onAccountError = (error: unknown) => failures.failed(error, "something for the account page failed");
  const house = await houseOver(parts.house, settings);
  const { app, meter, announceDraining } = await composeRequests(settings, house, {
    ...parts,
    state,
    logger,
    failures,
    now: Date.now,
    onAccountError,
    recorder,
  });
  counting?.watch(meter);
  return {
    app,
    announceDraining,
    closeUpstreams: () => house.close(),
    async close() {
      await meter.close();
      house.close();
      failures.close();
      counting?.close();
    },
  };
}
