/**
 * What is opened by its first use and shared by all: a library that most starts do not need, with what it holds. An opening that fails, as
 * while files are being replaced, is tried again by the next use.
 */
export class OpenedOnUse<T> {
  readonly #open: () => Promise<T>;
  readonly #end: (opened: T) => Promise<void>;
  #opening: Promise<T> | undefined;
  #isClosed = false;

  constructor(open: () => Promise<T>, end: (opened: T) => Promise<void>) {
    this.#open = open;
    this.#end = end;
  }

  /** @throws whatever opening fails with; {@link Closed} after the end */
  get(): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Closed());
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Ends what was opened, and opens nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined);
    if (opened !== undefined) await this.#end(opened);
  }
}

/** It was closed before. */
export class Closed extends Error {
  constructor() {
    super("it is closed");
  }
}
