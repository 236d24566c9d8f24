import type { CallQueries } from "./queries/calls.ts";

/** The parts of a recorder, which writes to the store periodically. */
export interface RecorderParts<Method extends keyof CallQueries> {
  readonly store: Pick<CallQueries, Method>;
  /** Whether many charges are waiting for the store. Recorders then skip their writes. */
  readonly isBusy: () => boolean;
}
