import { LRUCache } from "lru-cache";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { BrowserSighting, RecorderParts } from "./callStore.ts";

const WRITE_EVERY_MS = 5_000;
/** What is written of a key is believed for so long, unless another page shows it. */
const WRITTEN_FOR_MS = 3_600_000;
/** Keys that wait to be written, at some 300 bytes each. */
const MAX_WAITING = 500;
/** Of one write: each is a row of its own. */
const MAX_IN_A_WRITE = 50;
/** Keys whose last writing is known, at 250 bytes each. */
const MAX_WRITTEN = 5_000;
/** An origin as a browser tells it, `null` for a page that has none; anything else is nobody's page. */
const ORIGIN = /^(?:null|https?:\/\/[a-z0-9.:[\]_-]{1,260})$/;

/**
 * Notes that a browser called with a key that is none for browsers, for the owner to be warned. Noted in memory and written now and then, once an
 * hour for a key and a page: no call waits for it. Where too many keys are seen at once, the rest is not noted.
 */
export class BrowserSightings extends PeriodicWrite {
  readonly #parts: RecorderParts<"addSightings">;
  readonly #waiting = new Map<string, BrowserSighting>();
  readonly #written = new LRUCache<string, BrowserSighting>({ max: MAX_WRITTEN });

  constructor(parts: RecorderParts<"addSightings">) {
    super(() => this.#writeSome(), WRITE_EVERY_MS);
    this.#parts = parts;
  }

  note(keyId: string, origin: string, atMs: number): void {
    const written = this.#written.get(keyId);
    if (written?.origin === origin && Math.abs(atMs - written.atMs) < WRITTEN_FOR_MS) return;
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
      // Those who need the store report its outage; the key is seen again.
    }
  }
}
