import { crc32 } from "node:zlib";
import { exactKey } from "../../src/search/legalFormWords.ts";
import { normalise } from "../../src/search/normalise.ts";

/** 64 MB: with five million names, one text in a hundred is taken for a name by mistake. */
const BITS = 2 ** 29;

/**
 * The names of a registry as a bitmap of hashes. It may take a text for a name by mistake, never the other way round;
 * such a query is only made again.
 */
export class NameSet {
  readonly #bits = new Uint8Array(BITS / 8);

  add(name: string): void {
    for (const hash of hashesOf(name)) {
      this.#bits[hash >>> 3] = (this.#bits[hash >>> 3] ?? 0) | (1 << (hash & 7));
    }
  }

  /** Whether a text is a name in the registry other than `name`, with or without its legal form. */
  isAnother(text: string, name: string): boolean {
    const own = hashesOf(name);
    return hashesOf(text).some(
      (hash) => !own.includes(hash) && ((this.#bits[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0,
    );
  }
}

/** Hashes of the whole name and of the name without legal form and spaces. */
function hashesOf(name: string): readonly number[] {
  const normal = normalise(name);
  return [normal, `=${exactKey(normal)}`].map((text) => crc32(text) % BITS);
}
