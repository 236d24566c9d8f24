import { hashOfKeyBytes } from "../names.ts";
import { larger, lettersIn } from "./bytes.ts";
import { type NameParts, ReadNames } from "./nameParts.ts";

/** A name by which a company is found, by places in the bytes and words that were read. */
export interface FoundName {
  /** Where its text stands in the bytes. */
  from: number;
  to: number;
  wordsFrom: number;
  wordsTo: number;
  keyFrom: number;
  keyTo: number;
  /** The letters of its exact key, as JavaScript counts them. */
  keyLength: number;
  readonly hashes: number[];
  readonly beside: number[];
}

/** What `indexedNames` says of a company, by the bytes of its names: hardly any text is made on the way. */
export class NamesInBytes {
  readonly read = new ReadNames();
  readonly #found: FoundName[] = [];
  #count = 0;
  #keys = new Uint8Array(1 << 10);
  #keysEnd = 0;
  readonly #parts: NameParts;

  constructor(parts: NameParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#count;
  }

  /** One of the names that were found last: it holds until the next ones are looked for. */
  at(nth: number): FoundName {
    const found = this.#found[nth];
    if (found !== undefined) return found;
    const made: FoundName = {
      from: 0,
      to: 0,
      wordsFrom: 0,
      wordsTo: 0,
      keyFrom: 0,
      keyTo: 0,
      keyLength: 0,
      hashes: [],
      beside: [],
    };
    this.#found[nth] = made;
    return made;
  }

  /**
   * Finds the names of a company.
   * @param names from where to where each of them goes
   * @returns false where bytes alone do not tell
   */
  find(bytes: Uint8Array, names: readonly number[]): boolean {
    this.#count = 0;
    this.#keysEnd = 0;
    this.read.count = 0;
    for (let nth = 0; nth < names.length; nth += 2) {
      if (isAmong(bytes, names, nth)) continue;
      if (!this.#add(bytes, names[nth] ?? 0, names[nth + 1] ?? 0)) return false;
    }
    return true;
  }

  #add(bytes: Uint8Array, from: number, to: number): boolean {
    const { read } = this;
    const wordsFrom = read.count;
    if (!this.#parts.read(bytes, from, to, read)) return false;
    const found = this.at(this.#count);
    found.from = from;
    found.to = to;
    found.wordsFrom = wordsFrom;
    found.wordsTo = read.count;
    found.hashes.length = 0;
    this.#writeKey(found);
    for (let nth = 0; nth < this.#count; nth++) {
      const held = this.at(nth);
      if (!this.#hasSameKey(held, found)) continue;
      const isAlike = this.#beginAlike(held, found);
      if (isAlike === undefined) return false;
      if (!isAlike) continue;
      this.#addBeside(held, found);
      return true;
    }
    found.beside.length = 0;
    for (const word of read.joined) if (!found.beside.includes(word)) found.beside.push(word);
    this.#count++;
    return true;
  }

  /** Adds the words of a name that is another but for its legal form to those beside the other's. */
  #addBeside(held: FoundName, { wordsFrom, wordsTo }: FoundName): void {
    if (held.wordsTo - held.wordsFrom === wordsTo - wordsFrom) return;
    const { words, joined } = this.read;
    for (let at = wordsFrom; at < wordsTo; at++) {
      const word = words[at] ?? 0;
      if (!held.beside.includes(word)) held.beside.push(word);
    }
    for (const word of joined) if (!held.beside.includes(word)) held.beside.push(word);
  }

  /** The exact key, and its hash; and that of the key with its `en`, where that is another. */
  #writeKey(found: FoundName): void {
    const parts = this.#parts;
    const { words } = this.read;
    const end = parts.bareEnd(words, found.wordsFrom, found.wordsTo);
    const start = parts.bareStart(words, found.wordsFrom, end);
    found.keyFrom = this.#keysEnd;
    const isSame = this.#writeWords(start, end, false);
    found.keyTo = this.#keysEnd;
    found.keyLength = lettersIn(this.#keys, found.keyFrom, found.keyTo);
    found.hashes.push(hashOfKeyBytes(this.#keys, found.keyFrom, found.keyTo));
    if (isSame) return;
    this.#writeWords(start, end, true);
    found.hashes.push(hashOfKeyBytes(this.#keys, found.keyTo, this.#keysEnd));
    this.#keysEnd = found.keyTo;
  }

  /** @returns whether no `en` was left out */
  #writeWords(start: number, end: number, withEn: boolean): boolean {
    const { words } = this.read;
    const table = this.#parts.words;
    let isSame = true;
    for (let at = start; at < end; at++) {
      const word = words[at] ?? 0;
      if (!withEn && at > start && at < end - 1 && this.#parts.isEn(word)) {
        isSame = false;
        continue;
      }
      const most = this.#keysEnd + 2 * ((table.starts[word + 1] ?? 0) - (table.starts[word] ?? 0));
      if (most > this.#keys.length) this.#keys = larger(this.#keys, 2 * most);
      this.#keysEnd = this.#parts.writeWord(word, this.#keys, this.#keysEnd);
    }
    return isSame;
  }

  #hasSameKey(a: FoundName, b: FoundName): boolean {
    const length = a.keyTo - a.keyFrom;
    if (b.keyTo - b.keyFrom !== length || a.hashes[0] !== b.hashes[0]) return false;
    const keys = this.#keys;
    for (let at = 0; at < length; at++) if (keys[a.keyFrom + at] !== keys[b.keyFrom + at]) return false;
    return true;
  }

  /** Whether one of two names begins with the other; undefined where that is within a word. */
  #beginAlike(a: FoundName, b: FoundName): boolean | undefined {
    const { words } = this.read;
    const count = Math.min(a.wordsTo - a.wordsFrom, b.wordsTo - b.wordsFrom);
    for (let nth = 0; nth < count; nth++) {
      const [wordOfA, wordOfB] = [words[a.wordsFrom + nth] ?? 0, words[b.wordsFrom + nth] ?? 0];
      if (wordOfA === wordOfB) continue;
      return nth === count - 1 && this.#parts.mayBeginAlike(wordOfA, wordOfB) ? undefined : false;
    }
    return true;
  }
}

/** Whether a name is one of those before it, letter by letter. */
function isAmong(bytes: Uint8Array, names: readonly number[], nth: number): boolean {
  const from = names[nth] ?? 0;
  const length = (names[nth + 1] ?? 0) - from;
  for (let other = 0; other < nth; other += 2) {
    const start = names[other] ?? 0;
    if ((names[other + 1] ?? 0) - start !== length) continue;
    let at = 0;
    while (at < length && bytes[start + at] === bytes[from + at]) at++;
    if (at === length) return true;
  }
  return false;
}
