import { Offsets, offsetSections } from "./offsets.ts";
import type { SectionList, Sections } from "./sections.ts";
import { ESCAPE, LONGEST_SYMBOL, type PlainTexts, SymbolTable, trainSymbols } from "./symbols.ts";

/** Packs texts by a table of symbols that is made of some of them. */
export function packedTextsSections(name: string, { bytes, starts }: PlainTexts): SectionList {
  const table = new SymbolTable(trainSymbols({ bytes, starts }));
  // What no symbol stands for takes two bytes.
  let packed = new Uint8Array(Math.max(64, bytes.length));
  const packedStarts = new Uint32Array(starts.length);
  let length = 0;
  for (let text = 0; text < starts.length - 1; text++) {
    const [from, to] = [starts[text] ?? 0, starts[text + 1] ?? 0];
    if (length + 2 * (to - from) > packed.length) {
      const larger = new Uint8Array(packed.length * 2 + 2 * (to - from));
      larger.set(packed.subarray(0, length));
      packed = larger;
    }
    length = table.encode(bytes, from, to, packed, length);
    packedStarts[text + 1] = length;
  }
  return [
    [`${name}.symbols`, table.bytes],
    [`${name}.symbolStarts`, table.starts],
    [`${name}.packed`, packed.slice(0, length)],
    ...offsetSections(`${name}.starts`, packedStarts),
  ];
}

/** Texts that are unpacked one by one. */
export class PackedTexts {
  readonly #symbols: Uint8Array;
  readonly #symbolStarts: Uint32Array;
  readonly #packed: Uint8Array;
  readonly #starts: Offsets;
  #unpacked = Buffer.alloc(1 << 10);

  constructor(sections: Sections, name: string) {
    this.#symbols = sections.u8(`${name}.symbols`);
    this.#symbolStarts = sections.u32(`${name}.symbolStarts`);
    this.#packed = sections.u8(`${name}.packed`);
    this.#starts = new Offsets(sections, `${name}.starts`);
  }

  text(index: number): string {
    const end = this.#starts.at(index + 1);
    const symbols = this.#symbols;
    let unpacked = this.#unpacked;
    let length = 0;
    for (let at = this.#starts.at(index); at < end; at++) {
      const code = this.#packed[at] ?? 0;
      if (length + LONGEST_SYMBOL > unpacked.length) {
        unpacked = Buffer.concat([unpacked], unpacked.length * 2);
        this.#unpacked = unpacked;
      }
      if (code === ESCAPE) {
        unpacked[length++] = this.#packed[++at] ?? 0;
        continue;
      }
      const to = this.#symbolStarts[code + 1] ?? 0;
      for (let place = this.#symbolStarts[code] ?? 0; place < to; place++)
        unpacked[length++] = symbols[place] ?? 0;
    }
    return unpacked.toString("utf8", 0, length);
  }
}
