import type { DatabaseSync } from "node:sqlite";
import type { SourcedFacts } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import { type CompanyRow, encodeFacts, sourcedFactsOf } from "./codec.ts";
import { type PackedFacts, PackedRows } from "./incoming/packedFacts.ts";
import { RowWriter } from "./incoming/rowWriter.ts";
import type { Interner } from "./interning.ts";
import type { Indexing } from "./names/indexing.ts";
import type { FactsSource, ImportProgress } from "./types.ts";

const REPORTED_EVERY = 10_000;

interface IncomingOptions {
  /** KVK numbers that are passed over. */
  readonly omit: ReadonlySet<string>;
  /** Indexes the first facts of each company, where that is done while they come. */
  readonly indexing: Indexing | undefined;
  /** Whether rows go straight to where they belong; see {@link RowWriter}. */
  readonly isPlaced: boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Writes facts down as they come, by a {@link RowWriter}. What `omit` names is passed over.
 * @returns what came; undefined when there were no facts at all
 */
export async function writeIncoming(
  db: DatabaseSync,
  facts: FactsSource,
  interner: Interner,
  { omit, indexing, isPlaced, onProgress }: IncomingOptions,
): Promise<RowWriter | undefined> {
  const writer = new RowWriter(db, isPlaced);
  let reported = 0;
  for await (const one of facts) {
    // Awaited where there is something to wait for: an await for each company would take as long as its row.
    const busy =
      "rows" in one
        ? writePacked(writer, one, interner, omit, indexing)
        : writeOne(writer, one, interner, omit, indexing);
    if (busy !== undefined) await busy;
    if (writer.received - reported >= REPORTED_EVERY) {
      reported = writer.received;
      onProgress({ stage: "reading", done: reported });
    }
  }
  writer.end();
  return writer.received === 0 ? undefined : writer;
}

function writeOne(
  writer: RowWriter,
  sourced: SourcedFacts,
  interner: Interner,
  omit: ReadonlySet<string>,
  indexing: Indexing | undefined,
): Promise<void> | undefined {
  if (omit.has(sourced.facts.kvkNumber)) return undefined;
  const clean = cleanFacts(sourced.facts);
  const isFirst = writer.write(encodeFacts(clean, sourced, interner), clean.branches?.length ?? 0);
  return isFirst ? indexing?.add(clean) : undefined;
}

function writePacked(
  writer: RowWriter,
  packed: PackedFacts,
  interner: Interner,
  omit: ReadonlySet<string>,
  indexing: Indexing | undefined,
): Promise<void> | undefined {
  const rows = new PackedRows(packed, interner);
  const leftOut: number[] = [];
  const unsplit: CompanyRow[] = [];
  for (let kvk = rows.nextKvk; kvk !== undefined; kvk = rows.nextKvk) {
    const { place } = rows;
    if (omit.size > 0 && omit.has(kvkNumberOf(kvk))) {
      rows.skip();
      leftOut.push(place);
      continue;
    }
    const row = rows.next();
    if (!writer.write(row, rows.branches)) leftOut.push(place);
    else if (packed.names === undefined) unsplit.push(row);
  }
  if (indexing === undefined) return undefined;
  if (packed.names !== undefined) return indexing.addBatch(packed.names, leftOut);
  return addAll(indexing, unsplit, interner);
}

/** Indexes companies whose names nobody split yet. */
async function addAll(indexing: Indexing, rows: readonly CompanyRow[], interner: Interner): Promise<void> {
  for (const row of rows) await indexing.add(sourcedFactsOf(row, interner).facts);
}
