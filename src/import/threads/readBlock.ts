import { isUtf8 } from "node:buffer";
import type { Rejection } from "../../company/rejection.ts";
import { FactsPacker } from "../../snapshot/incoming/factsPacker.ts";
import { FactsSpans } from "../../snapshot/incoming/factsSpans.ts";
import type { PackedFacts } from "../../snapshot/incoming/packedFacts.ts";
import type { RecordContext } from "../formats/format.ts";
import { jsonlOutcome } from "../formats/jsonl.ts";
import { kvkOutcome } from "../formats/kvk.ts";
import type { Outcome } from "../outcome.ts";
import { LINE_FEED, tooLong } from "../records/cutRecords.ts";
import { checkDepth, MAX_JSON_BYTES } from "../records/json.ts";
import { cutLine } from "../records/lines.ts";
import { LineScanner } from "./lineScanner.ts";

/** The formats whose lines can be read by themselves. */
export const LINE_FORMATS = { jsonl: jsonlOutcome, kvk: kvkOutcome } as const;
export type LineFormat = keyof typeof LINE_FORMATS;

/** What a thread needs to know to read blocks of one file. */
export interface BlockTask extends RecordContext {
  readonly format: LineFormat;
  /** Whether an index of names is to be made of the companies. */
  readonly withNames: boolean;
  /** Whether the text of what is skipped is wanted. */
  readonly withRecords: boolean;
}

/** What became of a block. Lines are counted from 1, within the block. */
export interface BlockRead {
  readonly facts: PackedFacts;
  /** The line of each company in `facts`. */
  readonly lines: Uint32Array<ArrayBuffer>;
  readonly skipped: readonly {
    readonly line: number;
    readonly rejection: Rejection;
    readonly record: string;
  }[];
  /** What was left out of companies that are used, by the place of these. */
  readonly leftOut: readonly { readonly row: number; readonly rejections: readonly Rejection[] }[];
  readonly lineFeeds: number;
}

/** Reads blocks of one file. */
export class BlockReader {
  readonly #task: BlockTask;
  readonly #packer: FactsPacker;
  readonly #spans = new FactsSpans();
  readonly #scanner: LineScanner | undefined;

  constructor(task: BlockTask) {
    this.#task = task;
    this.#packer = new FactsPacker(task.withNames);
    this.#scanner = task.format === "jsonl" ? new LineScanner(this.#spans, task) : undefined;
  }

  /** Reads the lines of a block, each by itself. */
  read(block: Uint8Array<ArrayBuffer>): BlockRead {
    const outcomeOf = LINE_FORMATS[this.#task.format];
    const packer = this.#packer;
    const lines: number[] = [];
    const skipped: BlockRead["skipped"][number][] = [];
    const leftOut: BlockRead["leftOut"][number][] = [];
    const bytes = Buffer.from(block.buffer);
    // Where a line of it may not be, each is looked at by itself.
    const scanner = isUtf8(bytes) ? this.#scanner : undefined;
    const take = (outcome: Outcome) => {
      if (outcome.kind === "facts") {
        if (outcome.leftOut.length > 0) leftOut.push({ row: lines.length, rejections: outcome.leftOut });
        packer.add(outcome.sourced);
        lines.push(outcome.line);
      } else if (outcome.kind === "skipped") {
        const { line, rejection, record } = outcome;
        skipped.push({ line, rejection, record: this.#task.withRecords ? record : "" });
      }
    };
    const lineFeeds = eachLine(bytes, (line, from, to) => {
      if (to - from > MAX_JSON_BYTES) {
        take(outcomeOf(tooLong(bytes.subarray(from), line, MAX_JSON_BYTES), this.#task));
      } else if (scanner?.scan(block, from, to) === true) {
        packer.addSpans(this.#spans);
        lines.push(line);
      } else take(outcomeOf(checkDepth({ line, bytes: bytes.subarray(from, to) }), this.#task));
    });
    return { facts: packer.packed(), lines: Uint32Array.from(lines), skipped, leftOut, lineFeeds };
  }
}

/** @returns how many line breaks there are */
function eachLine(block: Buffer, visit: (line: number, from: number, to: number) => void): number {
  let line = 1;
  for (let start = 0; start < block.length; line++) {
    const cut = cutLine(block, start, true);
    if (cut === undefined) break;
    const { from, to } = cut;
    if (to > from) visit(line, from, to);
    start = cut.next;
  }
  return block.at(-1) === LINE_FEED ? line - 1 : line - 2;
}
