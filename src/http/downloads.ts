import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { Places } from "../lib/places.ts";

/** After a step of a download, this many times as long is left to others, for each download under way: together they take a quarter of a thread. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 1_000;

/** Makes the body of a download of its pieces, each some milliseconds of work, which are made as they are sent. */
export type DownloadBody = (pieces: AsyncIterable<string | Buffer>) => Readable;

/** Downloads, which cost no tokens: few at once for each account, and at a pace that leaves the thread to calls. */
export class Downloads {
  readonly #places = new Places(POOLS.downloads);
  readonly #freeTiers: readonly string[];

  constructor(freeTiers: readonly string[]) {
    this.#freeTiers = freeTiers;
  }

  /**
   * Has `make` make a download. Its place is given back when its body is closed, or when there is none.
   * @throws {ApiError} RATE_LIMIT_EXCEEDED (the promise) when there is no place for the account; else what `make` throws
   */
  async with<T>(
    { id: account, tierName }: { readonly id: string; readonly tierName: string },
    make: (body: DownloadBody) => Promise<T>,
  ): Promise<T> {
    const giveBack = this.#places.take({ account, isFree: this.#freeTiers.includes(tierName) });
    if (giveBack === undefined) {
      throw new ApiError(
        "RATE_LIMIT_EXCEEDED",
        `too many downloads at once: an account has ${POOLS.downloads.perAccount} of the ${POOLS.downloads.places} places; try again when one has ended`,
        { retryAfterSeconds: 1 },
      );
    }
    let hasBody = false;
    try {
      const made = await make((pieces) => {
        hasBody = true;
        return Readable.from(this.#paced(pieces), { objectMode: false }).once("close", giveBack);
      });
      if (!hasBody) giveBack();
      return made;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async *#paced(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer, void> {
    let beganMs = performance.now();
    for await (const piece of pieces) {
      const tookMs = performance.now() - beganMs;
      await pause(Math.min(MAX_PAUSE_MS, tookMs * PAUSE_FACTOR * this.#places.taken));
      yield piece;
      beganMs = performance.now();
    }
  }
}
