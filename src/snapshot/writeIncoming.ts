import type { DatabaseSync } from "node:sqlite";
import type { SourcedFacts } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import { encodeFacts } from "./codec.ts";
import type { Interner } from "./interning.ts";
import { arrivalTable, COMPANY_COLUMNS, companyTable } from "./layout.ts";
import type { Indexing } from "./names/indexing.ts";
import type { ImportProgress } from "./types.ts";

const REPORTED_EVERY = 10_000;
const COLUMNS = COMPANY_COLUMNS.join(", ");
const VALUES = COMPANY_COLUMNS.map(() => "?").join(", ");

interface IncomingOptions {
  /** KVK numbers that are passed over. */
  readonly omit: ReadonlySet<string>;
  /** Indexes the first facts of each company, where that is done while they come. */
  readonly indexing: Indexing | undefined;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Writes facts down as they come: the first of each company to `work.incoming`, by KVK number, any further ones to
 * `work.repeats`, in the order of arrival. What `omit` names is passed over.
 * @returns how many were of a company that had come before; undefined when there were no facts at all
 */
export async function writeIncoming(
  db: DatabaseSync,
  facts: AsyncIterable<SourcedFacts> | Iterable<SourcedFacts>,
  interner: Interner,
  { omit, indexing, onProgress }: IncomingOptions,
): Promise<number | undefined> {
  db.exec(`${companyTable("work.incoming")}; ${arrivalTable("work.repeats")}; BEGIN`);
  const insert = db.prepare(
    `INSERT INTO work.incoming (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT DO NOTHING`,
  );
  const repeat = db.prepare(`INSERT INTO work.repeats (${COLUMNS}) VALUES (${VALUES})`);
  let received = 0;
  let repeated = 0;
  for await (const sourced of facts) {
    if (omit.has(sourced.facts.kvkNumber)) continue;
    const clean = cleanFacts(sourced.facts);
    const row = encodeFacts(clean, sourced, interner);
    if (insert.run(...row).changes === 0) {
      repeat.run(...row);
      repeated++;
    } else if (indexing !== undefined) {
      // Awaited where there is something to wait for: an await for each company would take as long as its row.
      const busy = indexing.add(clean);
      if (busy !== undefined) await busy;
    }
    received++;
    if (received % REPORTED_EVERY === 0) onProgress({ stage: "reading", done: received });
  }
  db.exec("COMMIT");
  return received === 0 ? undefined : repeated;
}
