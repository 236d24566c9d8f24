/**
 * Observes each call of the database, to detect when it becomes unavailable and available.
 * @param isWrite the call writes and syncs, so its success shows that the state works; a full disk can still be read
 */
export type CallObserver = (call: Promise<unknown>, isWrite: boolean) => void;

/** Passes the calls of a database to an observer. */
export class ObservedCalls {
  #observer: CallObserver = () => {};

  report(observer: CallObserver): void {
    this.#observer = observer;
  }

  observe<T>(call: Promise<T>, isWrite = false): Promise<T> {
    this.#observer(call, isWrite);
    return call;
  }
}
