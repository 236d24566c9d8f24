import { ByteTable, hashOfBytes } from "./byteTable.ts";
import { GrowingBytes, GrowingU32 } from "./growing.ts";

/** Texts as UTF-8, one behind the other, in a form that threads can hand on. */
export interface TextList {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each begins, and at last where all end. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** The hash of each, by {@link hashOfBytes}. */
  readonly hashes: Uint32Array<ArrayBuffer>;
}

/** What a message may hand over instead of copying it. */
export function buffersOf({ bytes, starts, hashes }: TextList): ArrayBuffer[] {
  return [bytes.buffer, starts.buffer, hashes.buffer];
}

/** Makes a list of texts of which the caller knows that they are new. */
export class TextListBuilder {
  readonly #bytes = new GrowingBytes();
  readonly #starts = new GrowingU32();
  readonly #hashes = new GrowingU32();

  /** @returns the place of the text */
  push(bytes: Uint8Array, from: number, to: number, hash: number = hashOfBytes(bytes, from, to)): number {
    this.#starts.push(this.#bytes.length);
    this.#bytes.append(bytes, from, to);
    this.#hashes.push(hash);
    return this.#hashes.length - 1;
  }

  /** What was added since the last time. */
  take(): TextList {
    this.#starts.push(this.#bytes.length);
    const taken = {
      bytes: this.#bytes.view().slice(),
      starts: this.#starts.view().slice(),
      hashes: this.#hashes.view().slice(),
    };
    for (const list of [this.#bytes, this.#starts, this.#hashes]) list.length = 0;
    return taken;
  }
}

/** Texts of a batch, each once, and with each the word that stands for it. */
export class TextsWithWord {
  readonly #table = new ByteTable();
  readonly #words = new GrowingU32();

  /** How many texts have their word. */
  get worded(): number {
    return this.#words.length;
  }

  /** The place of a text, which is added where it is new: then its word is to be added next. */
  placeOf(bytes: Uint8Array, from: number, to: number): number {
    return this.#table.numberOf(bytes, from, to);
  }

  /** @param word one more than its place in the batch; 0 for none */
  addWord(word: number): void {
    this.#words.push(word);
  }

  /** What was given of a text. @param place one more than that of the text; 0 for none */
  wordOf(place: number): number {
    return place === 0 ? 0 : this.#words.at(place - 1);
  }

  /** What was added since the last time. */
  take(): { texts: TextList; words: Uint32Array<ArrayBuffer> } {
    const { bytes, starts, hashes, count } = this.#table;
    const taken = {
      texts: {
        bytes: bytes.slice(0, starts[count]),
        starts: starts.slice(0, count + 1),
        hashes: hashes.slice(0, count),
      },
      words: this.#words.view().slice(),
    };
    this.#table.clear();
    this.#words.length = 0;
    return taken;
  }
}
