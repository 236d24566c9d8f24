import type { DatabaseSync } from "node:sqlite";
import { cleanFacts } from "../company/merge.ts";
import { encodeFacts } from "./codec.ts";
import { RowWriter } from "./incoming/rowWriter.ts";
import type { Interner } from "./interning.ts";
import type { Indexing } from "./names/indexing.ts";
import type { FactsSource, ImportProgress } from "./types.ts";

const ROWS_PER_PROGRESS = 10_000;

interface IncomingOptions {
  /** Indexes the first facts of each company as they arrive, where that is wanted. */
  readonly indexing: Indexing | undefined;
  /** Whether rows go straight to the table `company`; see {@link RowWriter}. */
  readonly isPlaced: boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Writes facts as they arrive, with a {@link RowWriter}.
 * @returns the writer; undefined when there were no facts
 */
export async function writeIncoming(
  db: DatabaseSync,
  facts: FactsSource,
  interner: Interner,
  { indexing, isPlaced, onProgress }: IncomingOptions,
): Promise<RowWriter | undefined> {
  const writer = new RowWriter(db, isPlaced);
  for await (const sourced of facts) {
    const clean = cleanFacts(sourced.facts);
    const isFirst = writer.write(encodeFacts(clean, sourced, interner), clean.branches?.length ?? 0);
    // Awaits only when the index is behind: an await takes as long as writing a row.
    const behind = isFirst ? indexing?.add(clean) : undefined;
    if (behind !== undefined) await behind;
    if (writer.received % ROWS_PER_PROGRESS === 0) onProgress({ stage: "reading", done: writer.received });
  }
  writer.end();
  return writer.received === 0 ? undefined : writer;
}
