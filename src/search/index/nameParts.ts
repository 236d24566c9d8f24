import { LEADING_PHRASES, TRAILING_PHRASES } from "../legalWords.ts";
import { isLoose, isReadByParts, readPart, wordsOf } from "../nameText.ts";
import { larger } from "./bytes.ts";
import { ByteTable } from "./byteTable.ts";
import { codeWord } from "./dictionary.ts";
import { GrowingU32 } from "./growing.ts";

/** Names hold the same parts again and again; when there are more different ones all are forgotten. */
const MOST_PARTS = 1 << 17;
const SPACE = 0x20;
const LETTER_I = 0x69;
const LETTER_J = 0x6a;
const LETTER_Y = 0x79;

/** What is known of a part beside its words. */
const PART = { joint: 1, loose: 2, whole: 4 } as const;

/** Words of names that were read, one name behind the other, by their numbers in {@link NameParts}; memory that is used again. */
export class ReadNames {
  words = new Uint32Array(1 << 8);
  count = 0;
  /** What punctuation joins in the name that was read last; see nameText.ts. */
  readonly joined: number[] = [];

  push(word: number): void {
    if (this.count === this.words.length) this.words = larger(this.words, 2 * this.count);
    this.words[this.count++] = word;
  }
}

/** Reads names by their bytes as `readName` does by their letters: parts that came before are known again without a text being made of them. */
export class NameParts {
  /** Each word once, coded; first those of which legal forms are made. */
  readonly words = new ByteTable();
  readonly #parts = new ByteTable();
  /** Where the words of each part begin in `#wordsOfParts`, and at last where all end. */
  readonly #starts = new GrowingU32();
  readonly #wordsOfParts = new GrowingU32();
  /** One more than the number of the word that punctuation joins; 0 for none. */
  readonly #joined = new GrowingU32();
  readonly #marks = new GrowingU32();
  readonly #leading: readonly (readonly number[])[];
  readonly #trailing: readonly (readonly number[])[];
  readonly #longest: number;
  /** The words below it are those of legal forms, `en` and `and`. */
  readonly #fixed: number;
  #scratch = Buffer.alloc(1 << 10);
  #isEnd = new Uint8Array(1 << 8);

  constructor() {
    const phrases = (list: readonly string[]) =>
      list.map((phrase) => wordsOf(phrase).map((word) => this.numberOf(word)));
    this.numberOf(EN_WORD);
    this.numberOf(AND_WORD);
    this.#leading = phrases(LEADING_PHRASES);
    this.#trailing = phrases(TRAILING_PHRASES);
    this.#longest = Math.max(...this.#trailing.map(({ length }) => length));
    this.#fixed = this.words.count;
    this.#starts.push(0);
  }

  /** Forgets parts and words where these are many; from then on words have other numbers. */
  forgetIfMany(): boolean {
    if (this.#parts.count < MOST_PARTS) return false;
    const fixed = Array.from({ length: this.#fixed }, (_, word) => this.#coded(word));
    for (const table of [this.words, this.#parts]) table.clear();
    for (const list of [this.#starts, this.#wordsOfParts, this.#joined, this.#marks]) list.length = 0;
    this.#starts.push(0);
    for (const word of fixed) this.words.numberOf(word, 0, word.length);
    return true;
  }

  /** The number of a word as `normalise` makes it. */
  numberOf(word: string): number {
    const coded = codeWord(word);
    if (coded.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(coded.length * 3);
    return this.words.numberOf(this.#scratch, 0, this.#scratch.write(coded));
  }

  /**
   * Adds the words of a name to `into`.
   * @returns false for a name that cannot be read by its parts: what was added of it is of no use
   */
  read(bytes: Uint8Array, from: number, to: number, into: ReadNames): boolean {
    const first = into.count;
    let isJoint = false;
    let loose = 0;
    const { joined } = into;
    joined.length = 0;
    for (let at = from; at < to; at++) {
      const start = at;
      let hash = 0x811c9dc5;
      for (; at < to; at++) {
        const byte = bytes[at] ?? 0;
        if (byte === SPACE) break;
        hash = Math.imul(hash ^ byte, 0x01000193);
      }
      if (at === start) continue;
      if (at === start + 1 && isAndSign(bytes[start] ?? 0)) {
        if (!isBetweenWords(bytes, from, to, start)) return false;
        into.push(EN);
        continue;
      }
      const part = this.#partOf(bytes, start, at, (hash ^ (hash >>> 15)) >>> 0);
      const marks = this.#marks.at(part);
      if (marks !== 0) {
        if ((marks & PART.whole) !== 0) return false;
        if ((marks & PART.loose) !== 0 && ++loose > 1) return false;
        isJoint ||= (marks & PART.joint) !== 0;
      }
      const end = this.#starts.at(part + 1);
      for (let word = this.#starts.at(part); word < end; word++) into.push(this.#wordsOfParts.at(word));
      const joinedWord = this.#joined.at(part);
      if (joinedWord !== 0) joined.push(joinedWord - 1);
    }
    if (!isJoint) joined.length = 0;
    let saysAnd = false;
    for (let at = first + 1; at < into.count - 1; at++) {
      if (into.words[at] !== AND) continue;
      into.words[at] = EN;
      saysAnd = true;
    }
    if (saysAnd) joined.push(AND);
    return true;
  }

  /** Where the words of a name begin that are left without its legal form, as `withoutLegalForm` says. */
  bareStart(words: Uint32Array, from: number, to: number): number {
    let start = from;
    for (let isFound = true; isFound && (words[start] ?? 0) < this.#fixed; ) {
      isFound = false;
      for (const phrase of this.#leading) {
        if (start + phrase.length >= to || !isAt(phrase, words, start)) continue;
        start += phrase.length;
        isFound = true;
        break;
      }
    }
    return start;
  }

  /** Where they end. */
  bareEnd(words: Uint32Array, from: number, to: number): number {
    if (to - from < 2 || (words[to - 1] ?? 0) >= this.#fixed) return to;
    if (to - from >= this.#isEnd.length) this.#isEnd = new Uint8Array(2 * (to - from));
    const isEnd = this.#isEnd;
    let least = to;
    isEnd[to - from] = 1;
    // The first word is never one of its form; between two that are there may be one that begins no phrase.
    for (let at = to - 1; at > from && least - at <= this.#longest; at--) {
      isEnd[at - from] = 0;
      for (const phrase of this.#trailing) {
        const end = at + phrase.length;
        if (end > to || isEnd[end - from] !== 1 || !isAt(phrase, words, at)) continue;
        isEnd[at - from] = 1;
        least = at;
        break;
      }
    }
    return least;
  }

  /** Whether a word is the `en` that exact keys leave out between others. */
  isEn(word: number): boolean {
    return word === EN;
  }

  /** Whether one of two words may begin with the other, by their first letters. */
  mayBeginAlike(a: number, b: number): boolean {
    const { bytes, starts } = this.words;
    const [firstOfA, firstOfB] = [bytes[starts[a] ?? 0] ?? 0, bytes[starts[b] ?? 0] ?? 0];
    // One letter stands for two.
    return (firstOfA === LETTER_Y ? LETTER_I : firstOfA) === (firstOfB === LETTER_Y ? LETTER_I : firstOfB);
  }

  /** Writes a word as it was before it was coded, which takes twice its bytes at most. @returns where it ends */
  writeWord(word: number, target: Uint8Array, at: number): number {
    const { bytes, starts } = this.words;
    const end = starts[word + 1] ?? 0;
    let next = at;
    for (let place = starts[word] ?? 0; place < end; place++) {
      const byte = bytes[place] ?? 0;
      if (byte === LETTER_Y) {
        target[next++] = LETTER_I;
        target[next++] = LETTER_J;
      } else target[next++] = byte;
    }
    return next;
  }

  #coded(word: number): Uint8Array {
    return this.words.bytes.slice(this.words.starts[word], this.words.starts[word + 1]);
  }

  #partOf(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const known = this.#parts.count;
    const part = this.#parts.numberOf(bytes, from, to, hash);
    if (part < known) return part;
    if (!this.#addPlain(bytes, from, to)) this.#addRead(Buffer.from(bytes.subarray(from, to)).toString());
    this.#starts.push(this.#wordsOfParts.length);
    return part;
  }

  /** Most parts are letters and digits alone: their word is that in small letters. */
  #addPlain(bytes: Uint8Array, from: number, to: number): boolean {
    if (to - from > this.#scratch.length) return false;
    const word = this.#scratch;
    let length = 0;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      const small = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
      if (!((small >= 0x61 && small <= 0x7a) || (small >= 0x30 && small <= 0x39))) return false;
      if (small === LETTER_J && length > 0 && word[length - 1] === LETTER_I) word[length - 1] = LETTER_Y;
      else word[length++] = small;
    }
    // Initials and those of legal forms in loose letters have two letters at most.
    const isPartOfForm = length <= 2 && isLoose(word.toString("latin1", 0, length));
    this.#wordsOfParts.push(this.words.numberOf(word, 0, length));
    this.#joined.push(0);
    this.#marks.push(isPartOfForm ? PART.loose : 0);
    return true;
  }

  #addRead(text: string): void {
    const { words, joined, isJoint, looseWords } = readPart(text);
    for (const word of words) this.#wordsOfParts.push(this.numberOf(word));
    this.#joined.push(joined === "" ? 0 : this.numberOf(joined) + 1);
    const isWhole = looseWords > 1 || !isReadByParts(text);
    this.#marks.push(
      (isJoint ? PART.joint : 0) | (looseWords > 0 ? PART.loose : 0) | (isWhole ? PART.whole : 0),
    );
  }
}

const EN_WORD = "en";
const AND_WORD = "and";
/** Their numbers: they are the first of all. */
const [EN, AND] = [0, 1] as const;

function isAndSign(byte: number): boolean {
  return byte === 0x26 || byte === 0x2b;
}

/** Whether a sign that stands alone has a plain letter or digit before it and behind it, spaces aside: then it is read as `en`. */
function isBetweenWords(bytes: Uint8Array, from: number, to: number, at: number): boolean {
  let before = at - 1;
  while (before >= from && bytes[before] === SPACE) before--;
  let behind = at + 1;
  while (behind < to && bytes[behind] === SPACE) behind++;
  return before >= from && behind < to && isPlain(bytes[before] ?? 0) && isPlain(bytes[behind] ?? 0);
}

function isPlain(byte: number): boolean {
  const small = byte | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

function isAt(phrase: readonly number[], words: Uint32Array, from: number): boolean {
  for (let nth = 0; nth < phrase.length; nth++) if (words[from + nth] !== phrase[nth]) return false;
  return true;
}
