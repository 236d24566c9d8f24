import { boundedCache } from "../lib/boundedCache.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { BrowserSighting } from "./recordedCalls.ts";
import type { RecorderParts } from "./recorder.ts";

const WRITE_EVERY_MS = 5_000;
/** A stored sighting counts for this long, unless the key appears on another page. */
const WRITE_INTERVAL_MS = 3_600_000;
/** Maximum sightings waiting to be written, about 300 bytes each. */
const MAX_WAITING = 500;
/** Sightings in one write; each is a row. */
const MAX_IN_A_WRITE = 50;
/** Keys whose last write is remembered, 250 bytes each. */
const MAX_WRITTEN = 5_000;
/** An origin as browsers send it; `null` for a page without one. */
const ORIGIN = /^(?:null|https?:\/\/[a-z0-9.:[\]_-]{1,260})$/;

/**
 * Records calls from browsers with keys that are not browser keys, so that owners can be warned. Sightings are kept in
 * memory and written periodically, once an hour per key and page; calls do not wait. If too many keys are seen at once,
 * the rest is dropped.
 */
export class BrowserSightings extends PeriodicWrite {
  readonly #parts: RecorderParts<"addSightings">;
  readonly #waiting = new Map<string, BrowserSighting>();
  readonly #written = boundedCache<string, BrowserSighting>(MAX_WRITTEN);

  constructor(parts: RecorderParts<"addSightings">) {
    super(() => this.#writeSome(), WRITE_EVERY_MS);
    this.#parts = parts;
  }

  record(keyId: string, origin: string, atMs: number): void {
    const written = this.#written.get(keyId);
    if (written?.origin === origin && Math.abs(atMs - written.atMs) < WRITE_INTERVAL_MS) return;
    const isKnown = this.#waiting.has(keyId);
    if (isKnown || this.#waiting.size >= MAX_WAITING || !ORIGIN.test(origin)) return;
    this.#waiting.set(keyId, { keyId, origin, atMs });
  }

  async #writeSome(): Promise<void> {
    if (this.#waiting.size === 0 || this.#parts.isBusy()) return;
    const sightings = [...this.#waiting.values()].slice(0, MAX_IN_A_WRITE);
    for (const { keyId } of sightings) this.#waiting.delete(keyId);
    try {
      await this.#parts.store.addSightings(sightings);
      for (const sighting of sightings) this.#written.set(sighting.keyId, sighting);
    } catch {
      // Other writers report the outage, and the key will be seen again.
    }
  }
}
