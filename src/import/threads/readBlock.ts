import type { Rejection } from "../../company/rejection.ts";
import { FactsPacker } from "../../snapshot/incoming/factsPacker.ts";
import type { PackedFacts } from "../../snapshot/incoming/packedFacts.ts";
import type { RecordContext } from "../formats/format.ts";
import { jsonlOutcome } from "../formats/jsonl.ts";
import { kvkOutcome } from "../formats/kvk.ts";
import type { Outcome } from "../outcome.ts";
import { LINE_FEED, type RawRecord, tooLong } from "../records/cutRecords.ts";
import { checkDepth, MAX_JSON_BYTES } from "../records/json.ts";
import { cutLine } from "../records/lines.ts";

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

/** Reads the lines of a block, each by itself. */
export function readBlock(block: Uint8Array<ArrayBuffer>, task: BlockTask): BlockRead {
  const outcomeOf = LINE_FORMATS[task.format];
  const packer = new FactsPacker(task.withNames);
  const lines: number[] = [];
  const skipped: BlockRead["skipped"][number][] = [];
  const leftOut: BlockRead["leftOut"][number][] = [];
  const take = (outcome: Outcome) => {
    if (outcome.kind === "facts") {
      if (outcome.leftOut.length > 0) leftOut.push({ row: lines.length, rejections: outcome.leftOut });
      packer.add(outcome.sourced);
      lines.push(outcome.line);
    } else if (outcome.kind === "skipped") {
      const { line, rejection, record } = outcome;
      skipped.push({ line, rejection, record: task.withRecords ? record : "" });
    }
  };
  const lineFeeds = eachLine(Buffer.from(block.buffer), (record) =>
    take(outcomeOf(checkDepth(record), task)),
  );
  return { facts: packer.packed(), lines: Uint32Array.from(lines), skipped, leftOut, lineFeeds };
}

/** @returns how many line breaks there are */
function eachLine(block: Buffer, visit: (record: RawRecord) => void): number {
  let line = 1;
  for (let start = 0; start < block.length; line++) {
    const cut = cutLine(block, start, true);
    if (cut === undefined) break;
    const { from, to } = cut;
    if (to - from > MAX_JSON_BYTES) visit(tooLong(block.subarray(start), line, MAX_JSON_BYTES));
    else if (to > from) visit({ line, bytes: block.subarray(from, to) });
    start = cut.next;
  }
  return block.at(-1) === LINE_FEED ? line - 1 : line - 2;
}
