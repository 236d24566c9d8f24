import type { DatabaseSync } from "node:sqlite";
import { cleanFacts } from "../company/merge.ts";
import { encodeFacts } from "./codec.ts";
import type { Interner } from "./interning.ts";
import { arrivalTable, COLUMNS, companyTable, VALUES } from "./layout.ts";
import type { Indexing } from "./names/indexing.ts";
import type { FactsSource, ImportProgress } from "./types.ts";

const ROWS_PER_PROGRESS = 10_000;

interface IncomingOptions {
  /** Indexes the first facts of each company as they arrive, where that is wanted. */
  readonly indexing: Indexing | undefined;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** How much arrived. */
export interface Arrived {
  readonly companies: number;
  /** Facts of a company that had arrived before. */
  readonly repeated: number;
}

/**
 * Writes facts as they arrive, in one transaction: the first of each company to `work.incoming`, by KVK number, any further ones to
 * `work.repeats`, in the order of arrival.
 * @returns undefined when there were no facts
 */
export async function writeIncoming(
  db: DatabaseSync,
  facts: FactsSource,
  interner: Interner,
  { indexing, onProgress }: IncomingOptions,
): Promise<Arrived | undefined> {
  db.exec(`${companyTable("work.incoming")}; ${arrivalTable("work.repeats")}; BEGIN`);
  const addFirst = db.prepare(
    `INSERT INTO work.incoming (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT DO NOTHING`,
  );
  const addRepeat = db.prepare(`INSERT INTO work.repeats (${COLUMNS}) VALUES (${VALUES})`);
  let companies = 0;
  let repeated = 0;
  for await (const sourced of facts) {
    const clean = cleanFacts(sourced.facts);
    const row = encodeFacts(clean, sourced, interner);
    if (addFirst.run(...row).changes === 0) {
      addRepeat.run(...row);
      repeated++;
    } else {
      companies++;
      // Awaits only when the index is behind: an await takes as long as writing a row.
      const behind = indexing?.add(clean);
      if (behind !== undefined) await behind;
    }
    const done = companies + repeated;
    if (done % ROWS_PER_PROGRESS === 0) onProgress({ stage: "reading", done });
  }
  db.exec("COMMIT");
  return companies === 0 ? undefined : { companies, repeated };
}
