import type { CallObserver } from "../../database/observedCalls.ts";
import type { MeteringStore } from "../../metering/store.ts";
import type { StateQueries } from "./stateQueries.ts";

/** All shared, durable state. */
export interface StateStore extends StateQueries {
  readonly metering: MeteringStore;
  /** Writes and syncs something small. @throws {StoreUnavailable} if that fails */
  probe(): Promise<void>;
  /** Starts reporting every call of the database. */
  onCall(observer: CallObserver): void;
  close(): Promise<void>;
}
