import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { retryLater } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { SlotPool } from "../lib/slotPool.ts";

/**
 * After each step a download pauses this many times as long, for each download in progress: together they use a quarter
 * of the event loop.
 */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 1_000;

/** Makes the body of a download from pieces of a few milliseconds of work each, which are produced as they are sent. */
export type DownloadBody = (pieces: AsyncIterable<string | Buffer>) => Readable;

/**
 * Limits downloads, which are free: few at once per account, and at a pace that leaves the event loop free for calls.
 */
export class Downloads {
  readonly #slots = new SlotPool(POOLS.downloads);
  readonly #freeTiers: readonly string[];

  constructor(freeTiers: readonly string[]) {
    this.#freeTiers = freeTiers;
  }

  /**
   * Runs `make` in a slot for a download. The slot is released when the body closes, or at once without a body.
   * @throws {ApiError} (the promise) RATE_LIMIT_EXCEEDED when there is no slot for the account, or the error of `make`
   */
  async with<T>(
    { id: account, tierName }: { readonly id: string; readonly tierName: string },
    make: (body: DownloadBody) => Promise<T>,
  ): Promise<T> {
    const release = this.#slots.acquire({ account, isFree: this.#freeTiers.includes(tierName) });
    if (release === undefined) {
      throw retryLater(
        "RATE_LIMIT_EXCEEDED",
        1,
        `too many downloads at once: the limit is ${POOLS.downloads.perAccount} per account and ${POOLS.downloads.slots} in total; try again when one has finished`,
      );
    }
    let hasBody = false;
    try {
      const result = await make((pieces) => {
        hasBody = true;
        return Readable.from(this.#paced(pieces), { objectMode: false }).once("close", release);
      });
      if (!hasBody) release();
      return result;
    } catch (error) {
      release();
      throw error;
    }
  }

  async *#paced(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer, void> {
    let beganMs = performance.now();
    for await (const piece of pieces) {
      const tookMs = performance.now() - beganMs;
      await pause(Math.min(MAX_PAUSE_MS, tookMs * PAUSE_FACTOR * this.#slots.inUse));
      yield piece;
      beganMs = performance.now();
    }
  }
}
