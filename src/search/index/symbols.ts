/** Texts as UTF-8, one behind the other, with where each begins and the last one ends. */
export interface PlainTexts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** The code before a byte that no symbol stands for. */
export const ESCAPE = 255;
const MOST_SYMBOLS = 255;
/** Bytes. Names are made of words that return: the longer a symbol may be, the fewer codes a name takes. */
export const LONGEST_SYMBOL = 16;
/** So many bytes of texts, from all over them, show which symbols are worth having. */
const SAMPLE_BYTES = 1 << 19;
const ROUNDS = 6;
/** An index of few companies is packed less well, and made in less time. */
const FEW_BYTES = 1 << 15;
const ROUNDS_OF_FEW = 2;
const NONE = 0xffff;

/**
 * Symbols by which texts become short, as in FSST (Boncz, Neumann and Leis, "FSST: fast random access string compression", 2020): in
 * each round the sample is written with the symbols so far, and those symbols and pairs of neighbours are kept that save most.
 * @returns the symbols as texts of which each character is a byte
 */
export function trainSymbols(texts: PlainTexts): readonly string[] {
  const sample = sampleOf(texts);
  let symbols: readonly string[] = [];
  const rounds = sample.bytes.length < FEW_BYTES ? ROUNDS_OF_FEW : ROUNDS;
  for (let round = 0; round < rounds; round++) symbols = better(symbols, sample);
  return symbols;
}

function sampleOf({ bytes, starts }: PlainTexts): PlainTexts {
  const step = Math.max(1, Math.ceil(bytes.length / SAMPLE_BYTES));
  const parts: Uint8Array[] = [];
  const ends = [0];
  for (let text = 0; text < starts.length - 1; text += step) {
    const part = bytes.subarray(starts[text] ?? 0, starts[text + 1] ?? 0);
    parts.push(part);
    ends.push((ends.at(-1) ?? 0) + part.length);
  }
  return { bytes: Buffer.concat(parts), starts: Uint32Array.from(ends) };
}

function better(symbols: readonly string[], { bytes, starts }: PlainTexts): readonly string[] {
  const table = new SymbolTable(symbols);
  /** How many bytes each candidate would stand for. */
  const gains = new Map<string, number>();
  const count = (candidate: string) => gains.set(candidate, (gains.get(candidate) ?? 0) + candidate.length);
  for (let text = 0; text < starts.length - 1; text++) {
    const end = starts[text + 1] ?? 0;
    let before = "";
    for (let at = starts[text] ?? 0; at < end; ) {
      const symbol = table.longestAt(bytes, at, end);
      const own = symbol === NONE ? String.fromCharCode(bytes[at] ?? 0) : (symbols[symbol] ?? "");
      count(own);
      if (before !== "" && before.length + own.length <= LONGEST_SYMBOL) count(before + own);
      before = own;
      at += own.length;
    }
  }
  return [...gains]
    .sort(([a, gainOfA], [b, gainOfB]) => gainOfB - gainOfA || (a < b ? -1 : 1))
    .slice(0, MOST_SYMBOLS)
    .map(([candidate]) => candidate);
}

/** Writes bytes as codes of symbols, always the longest that fits, found in a trie. */
export class SymbolTable {
  /** All symbols, one behind the other, and where each begins. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** For each node and byte the node below, 0 for none. */
  readonly #below: Uint16Array;
  readonly #symbolOf: Uint16Array;

  constructor(symbols: readonly string[]) {
    this.bytes = Buffer.from(symbols.join(""), "latin1");
    this.starts = new Uint32Array(symbols.length + 1);
    this.#below = new Uint16Array((this.bytes.length + 1) * 256);
    this.#symbolOf = new Uint16Array(this.bytes.length + 1).fill(NONE);
    let nodes = 1;
    for (const [number, symbol] of symbols.entries()) {
      this.starts[number + 1] = (this.starts[number] ?? 0) + symbol.length;
      let node = 0;
      for (let at = 0; at < symbol.length; at++) {
        const edge = node * 256 + symbol.charCodeAt(at);
        node = this.#below[edge] ?? 0;
        if (node !== 0) continue;
        node = nodes++;
        this.#below[edge] = node;
      }
      this.#symbolOf[node] = number;
    }
  }

  /** The number of the longest symbol that stands at a place. */
  longestAt(bytes: Uint8Array, from: number, end: number): number {
    let node = 0;
    let longest = NONE;
    for (let at = from; at < end; at++) {
      node = this.#below[node * 256 + (bytes[at] ?? 0)] ?? 0;
      if (node === 0) break;
      const symbol = this.#symbolOf[node] ?? NONE;
      if (symbol !== NONE) longest = symbol;
    }
    return longest;
  }

  /** Writes the codes of some bytes to `target`, two for each byte at most. @returns where they end there */
  encode(bytes: Uint8Array, from: number, to: number, target: Uint8Array, targetAt: number): number {
    let end = targetAt;
    for (let at = from; at < to; ) {
      const symbol = this.longestAt(bytes, at, to);
      if (symbol === NONE) {
        target[end++] = ESCAPE;
        target[end++] = bytes[at++] ?? 0;
      } else {
        target[end++] = symbol;
        at += (this.starts[symbol + 1] ?? 0) - (this.starts[symbol] ?? 0);
      }
    }
    return end;
  }
}
