import { parseInstant } from "../../company/dates.ts";
import type { Span } from "../../snapshot/incoming/factsSpans.ts";
import { isOrigin } from "../jsonl.ts";
import type { JsonCursor } from "./jsonCursor.ts";

const KVK: Uint8Array = Buffer.from('{"kvk":');
const CACHED_AT: Uint8Array = Buffer.from(',"cachedAt":');
const CLOSE_OBJECT = 0x7d;

/** Where lines say that they come from: nearly all of a file say the same, which is read once. */
export class SourceOfLines {
  origin = "";
  asOfMs = 0;
  /** The bytes of what was read last. */
  #last: Uint8Array = new Uint8Array(0);
  readonly #kvk: Span = { from: 0, to: 0 };
  readonly #cachedAt: Span = { from: 0, to: 0 };

  /** @returns whether a source comes next that may be believed: then it is passed */
  read(json: JsonCursor): boolean {
    if (this.#last.length > 0 && json.is(this.#last)) return true;
    const from = json.at;
    if (!json.is(KVK) || !json.text(this.#kvk)) return false;
    if (!json.is(CACHED_AT) || !json.text(this.#cachedAt) || !json.byte(CLOSE_OBJECT)) return false;
    const textOf = ({ from, to }: Span) => Buffer.from(json.bytes.subarray(from, to)).toString();
    const origin = textOf(this.#kvk);
    const asOf = parseInstant(textOf(this.#cachedAt));
    if (asOf === undefined || !isOrigin(origin)) return false;
    this.#last = new Uint8Array(json.bytes.subarray(from, json.at));
    this.origin = origin;
    this.asOfMs = Date.parse(asOf);
    return true;
  }
}
