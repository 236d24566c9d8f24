import { MeterOverloaded } from "../../metering/meter.ts";
import { StoreUnavailable, ValueRefused } from "../../metering/store.ts";
import { AlreadyTaken, type CallObserver } from "../../storage/stateStore.ts";
import { withoutSecrets } from "./errorFacts.ts";
import type { Log } from "./log.ts";
import { Outage } from "./outage.ts";

const EVERY_MS = 1_000;
/** Kinds of failures that are sampled apart; what comes on top shares one. */
const MOST_KINDS = 8;

interface Sampled {
  leftOut: number;
  /** Tells the last one that was left out. */
  tell: ((leftOut: number) => void) | undefined;
}

/**
 * Failures as an operator wants to read them, however many calls meet them: an outage as its beginning and its end, with
 * the calls that were refused meanwhile; what nobody foresaw once a second for each kind, with how many were left out.
 */
export class FailureLog {
  readonly #logger: Log["logger"];
  readonly #onStoreFailed: () => void;
  readonly #store: Outage;
  readonly #overload: Outage;
  readonly #kinds = new Map<string, Sampled>();
  #isClosed = false;

  /** @param onStoreFailed called for each call of the state that failed because it is away */
  constructor(logger: Log["logger"], onStoreFailed: () => void = () => {}) {
    this.#logger = logger;
    this.#onStoreFailed = onStoreFailed;
    this.#store = new Outage({
      onAway: (reason) =>
        logger.error({ reason: withoutSecrets(reason) }, "the state cannot be used: calls are refused"),
      onBack: (told) => logger.info(told, "the state can be used again"),
    });
    this.#overload = new Outage({
      onAway: (reason) => logger.warn({ reason }, "too many calls at once: some are refused"),
      onBack: (told) => logger.info(told, "no more calls than can be counted"),
      endsByItself: true,
    });
  }

  /** Notices when the state goes away and comes back, see `StateStore.onCall`. */
  readonly stateCalled: CallObserver = (call, isWrite) => {
    const noticed = this.#store.count;
    call.then(
      () => {
        // One that began before the last failure shows nothing.
        if (isWrite && noticed === this.#store.count) this.#store.worked();
      },
      (error: unknown) => {
        if (error instanceof ValueRefused) {
          const { sqlState } = error;
          this.#sample(`${error.name} ${sqlState}`, (leftOut) =>
            this.#logger.warn({ sqlState, leftOut }, "the state refused a value that a call has sent"),
          );
        }
        // A value that is taken is an answer. A state that was closed at the end of a drain is no outage.
        if (!(error instanceof StoreUnavailable) || error instanceof AlreadyTaken || this.#isClosed) return;
        this.#store.failed(error.reason);
        this.#onStoreFailed();
      },
    );
  };

  /** A call was answered with an error of ours. */
  callFailed(error: unknown, requestId: string, route: string): void {
    if (error instanceof StoreUnavailable) this.#store.refused();
    if (error instanceof MeterOverloaded) {
      this.#overload.failed(error.message);
      this.#overload.refused();
    }
    this.failed(error, "a call failed", { requestId, route });
  }

  /** Something failed, a call or what nobody waits for. */
  failed(error: unknown, message: string, facts: Readonly<Record<string, string>> = {}): void {
    // Told as the outage that it is.
    if (error instanceof StoreUnavailable || error instanceof MeterOverloaded) return;
    this.#sample(`${message} ${kindOf(error)}`, (leftOut) =>
      this.#logger.error({ ...facts, ...(leftOut > 0 && { leftOut }), err: error }, message),
    );
  }

  /** Tells what was left out so far; what the state fails with from now on is not told. */
  close(): void {
    this.#isClosed = true;
    for (const kind of [...this.#kinds.keys()]) this.#next(kind);
    this.#kinds.clear();
  }

  #sample(kind: string, tell: NonNullable<Sampled["tell"]>): void {
    const own = this.#kinds.has(kind) || this.#kinds.size < MOST_KINDS ? kind : "";
    const sampled = this.#kinds.get(own);
    if (sampled !== undefined) {
      sampled.leftOut += 1;
      sampled.tell = tell;
      return;
    }
    tell(0);
    this.#kinds.set(own, { leftOut: 0, tell: undefined });
    setTimeout(() => this.#next(own), EVERY_MS).unref();
  }

  #next(kind: string): void {
    const sampled = this.#kinds.get(kind);
    if (sampled?.tell === undefined) {
      this.#kinds.delete(kind);
      return;
    }
    // The one that is told was not left out.
    sampled.tell(sampled.leftOut - 1);
    this.#kinds.set(kind, { leftOut: 0, tell: undefined });
    setTimeout(() => this.#next(kind), EVERY_MS).unref();
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
