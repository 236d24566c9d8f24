import { StoreUnavailable } from "../../metering/store.ts";
import { asStoreError, endsConnection } from "./failures.ts";

/** What only reads is asked again until so long after it came. */
const READ_WITHIN_MS = 1_500;

/** Everything that a process has the database do passes here: what it fails with is a StoreUnavailable, or a ValueRefused. */
export class DatabaseCalls {
  #isClosed = false;

  /** From now on every call is refused. */
  close(): void {
    this.#isClosed = true;
  }

  /** @throws {StoreUnavailable | ValueRefused} for whatever the database or the way to it fails with */
  async write<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreUnavailable("it is closed");
    try {
      return await work();
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) throw error;
      throw asStoreError(error);
    }
  }

  /** The same for what only reads, which is asked once more when its connection breaks: the server may have ended idle ones. */
  read<T>(work: () => T | Promise<T>): Promise<T> {
    const lastTryMs = performance.now() + READ_WITHIN_MS;
    return this.write(async () => {
      try {
        return await work();
      } catch (error) {
        if (!endsConnection(error) || performance.now() > lastTryMs) throw error;
        return work();
      }
    });
  }
}
