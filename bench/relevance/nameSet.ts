import { crc32 } from "node:zlib";
import { exactKey } from "../../src/search/legalWords.ts";
import { normalise } from "../../src/search/normalise.ts";

/** 64 MB: with five million names one question in a hundred is answered yes by mistake. */
const BITS = 2 ** 29;

/**
 * The names of a registry, to keep a misspelled query from being another name. A bitmap by one hash (Bloom, Space/time
 * trade-offs in hash coding with allowable errors, 1970): it may take a text for a name that is none, never the other way
 * round, and a query taken for one is only made again.
 */
export class NameSet {
  readonly #bits = new Uint8Array(BITS / 8);

  add(name: string): void {
    for (const hash of hashesOf(normalise(name)))
      this.#bits[hash >>> 3] = (this.#bits[hash >>> 3] ?? 0) | (1 << (hash & 7));
  }

  /** Whether a text is a name of the registry and not `name`, be it all of it or all but the legal form. */
  isAnother(text: string, name: string): boolean {
    const own = hashesOf(normalise(name));
    return hashesOf(normalise(text)).some(
      (hash) => !own.includes(hash) && ((this.#bits[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0,
    );
  }
}

/** Of the whole name and of what is left of it without legal form and spaces. */
function hashesOf(normal: string): readonly number[] {
  return [normal, `=${exactKey(normal)}`].map((text) => crc32(text) % BITS);
}
