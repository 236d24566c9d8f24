import type { CallObserver } from "../../database/observedCalls.ts";
import { UniqueViolation } from "../../database/stateErrors.ts";
import { StoreUnavailable, ValueRefused } from "../../lib/storeErrors.ts";
import { MeterOverloaded } from "../../metering/meter.ts";
import { withoutSecrets } from "./errorFacts.ts";
import type { Log } from "./log.ts";
import { Outage } from "./outage.ts";

const EVERY_MS = 1_000;
/** The number of kinds of failures that are sampled separately; further ones share one. */
const MAX_KINDS = 8;

interface Sampled {
  leftOut: number;
  /** Logs the last suppressed one. */
  report: ((leftOut: number) => void) | undefined;
}

/**
 * Logs failures for operators, however many calls are affected: an outage when it begins and ends, with the number of
 * refused calls; unexpected failures once a second per kind, with the number of suppressed ones.
 */
export class FailureLog {
  readonly #logger: Log["logger"];
  readonly #onStoreFailed: () => void;
  readonly #store: Outage;
  readonly #overload: Outage;
  readonly #kinds = new Map<string, Sampled>();
  #isClosed = false;

  /** @param onStoreFailed called for each failed call of the state while it is unavailable */
  constructor(logger: Log["logger"], onStoreFailed: () => void = () => {}) {
    this.#logger = logger;
    this.#onStoreFailed = onStoreFailed;
    this.#store = new Outage({
      onAway: (reason) =>
        logger.error({ reason: withoutSecrets(reason) }, "the state store is unavailable: calls are refused"),
      onBack: (summary) => logger.info(summary, "the state store is available again"),
    });
    this.#overload = new Outage({
      onAway: (reason) => logger.warn({ reason }, "too many calls at once: some are refused"),
      onBack: (summary) => logger.info(summary, "all calls are accepted again"),
      endsByItself: true,
    });
  }

  /** Detects when the state becomes unavailable and available again; see `StateStore.onCall`. */
  readonly stateCalled: CallObserver = (call, isWrite) => {
    const noticed = this.#store.count;
    call.then(
      () => {
        // A call that began before the last failure proves nothing.
        if (isWrite && noticed === this.#store.count) this.#store.worked();
      },
      (error: unknown) => {
        if (error instanceof ValueRefused) {
          const { sqlState } = error;
          this.#sample(`${error.name} ${sqlState}`, (leftOut) =>
            this.#logger.warn({ sqlState, leftOut }, "the state rejected a value of a call"),
          );
        }
        // A rejected value is an answer, and a state that was closed at the end of a drain is not an outage.
        if (!(error instanceof StoreUnavailable) || error instanceof UniqueViolation || this.#isClosed)
          return;
        this.#store.failed(error.reason);
        this.#onStoreFailed();
      },
    );
  };

  /** A call failed through the service's fault. */
  callFailed(error: unknown, requestId: string, route: string): void {
    if (error instanceof StoreUnavailable) this.#store.refused();
    if (error instanceof MeterOverloaded) {
      this.#overload.failed(error.message);
      this.#overload.refused();
    }
    this.failed(error, "a call failed", { requestId, route });
  }

  /** A call or background work failed. */
  failed(error: unknown, message: string, facts: Readonly<Record<string, string>> = {}): void {
    // Logged as an outage.
    if (error instanceof StoreUnavailable || error instanceof MeterOverloaded) return;
    this.#sample(`${message} ${kindOf(error)}`, (leftOut) =>
      this.#logger.error({ ...facts, ...(leftOut > 0 && { leftOut }), err: error }, message),
    );
  }

  /** Logs the suppressed failures; later failures of the state are not logged. */
  close(): void {
    this.#isClosed = true;
    for (const kind of [...this.#kinds.keys()]) this.#next(kind);
    this.#kinds.clear();
  }

  #sample(kind: string, report: NonNullable<Sampled["report"]>): void {
    const own = this.#kinds.has(kind) || this.#kinds.size < MAX_KINDS ? kind : "";
    const sampled = this.#kinds.get(own);
    if (sampled !== undefined) {
      sampled.leftOut += 1;
      sampled.report = report;
      return;
    }
    report(0);
    this.#kinds.set(own, { leftOut: 0, report: undefined });
    setTimeout(() => this.#next(own), EVERY_MS).unref();
  }

  #next(kind: string): void {
    const sampled = this.#kinds.get(kind);
    if (sampled?.report === undefined) {
      this.#kinds.delete(kind);
      return;
    }
    // This one is logged now.
    sampled.report(sampled.leftOut - 1);
    this.#kinds.set(kind, { leftOut: 0, report: undefined });
    setTimeout(() => this.#next(kind), EVERY_MS).unref();
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
