import type { DatabaseSync } from "node:sqlite";
import { withVersions } from "../company/activities.ts";
import { cleanFacts } from "../company/merge.ts";
import { hasBit, setBit } from "../search/index/rankSets.ts";
import { AT, type CompanyRow, encodeFacts, sourcedFactsOf } from "./codec.ts";
import type { Interner } from "./interner.ts";
import { arrivalTable, COLUMNS, companyTable, VALUES } from "./layout.ts";
import { isAmong } from "./mergeCompanies.ts";
import type { Indexing } from "./names/indexing.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import { prepareSql } from "./sqlite.ts";
import type { FactsSource, ImportOptions, ImportProgress } from "./types.ts";

const KVK_NUMBERS = 100_000_000;
const ROWS_PER_PROGRESS = 10_000;

interface IncomingOptions {
  /** Indexes the first facts of each company as they arrive. */
  readonly indexing: Indexing | undefined;
  /** Facts already in this snapshot with the same date are skipped until `maxChanges` companies were written. */
  readonly current: SnapshotFile | undefined;
  readonly maxChanges: number;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onRepeated: ImportOptions["onRepeated"];
}

export interface Arrived {
  /** The number of facts received. */
  readonly facts: number;
  /** The number of companies written. */
  readonly companies: number;
  /** The number of unchanged companies. */
  readonly unchanged: number;
  /** The number of further facts about the same company. */
  readonly repeated: number;
}

/**
 * Writes facts as they arrive, in one transaction: the first of each company to `work.incoming`, by KVK number, any
 * further ones to `work.repeats`, in the order of arrival.
 */
export async function writeIncoming(
  db: DatabaseSync,
  facts: FactsSource,
  interner: Interner,
  { indexing, current, maxChanges, onProgress, onRepeated }: IncomingOptions,
): Promise<Arrived> {
  db.exec(`${companyTable("work.incoming")}; ${arrivalTable("work.repeats")}; BEGIN`);
  const addFirst = db.prepare(
    `INSERT INTO work.incoming (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT DO NOTHING`,
  );
  const addRepeat = db.prepare(`INSERT INTO work.repeats (${COLUMNS}) VALUES (${VALUES})`);
  const firstOf = prepareSql<CompanyRow>(db, `SELECT ${COLUMNS} FROM work.incoming WHERE kvk = ?`);
  /** Reports the facts that arrived first, if they are of the same origin. */
  const noteRepeat = (row: CompanyRow, rows: readonly CompanyRow[]) => {
    const earlier = rows.find((one) => one[AT.origin] === row[AT.origin]);
    if (earlier !== undefined) onRepeated?.(sourcedFactsOf(earlier, interner));
  };
  // A bit for each KVK number.
  const [skipped, written] = [new Uint32Array(KVK_NUMBERS / 32), new Uint32Array(KVK_NUMBERS / 32)];
  let [companies, unchanged, repeated] = [0, 0, 0];
  for await (const sourced of facts) {
    const { origin, asOf } = sourced;
    const clean = withVersions(cleanFacts(sourced.facts), { origin, asOfMs: Date.parse(asOf) });
    const row = encodeFacts(clean, sourced, interner);
    const [kvk] = row;
    // Once a company is written, the order of its facts matters, so its other facts are written too.
    const isUnchanged =
      companies < maxChanges && !hasBit(written, 0, kvk) && isAmong(current?.rows(kvk)?.byOrigin ?? [], row);
    if (isUnchanged) {
      if (hasBit(skipped, 0, kvk)) repeated++;
      else unchanged++;
      setBit(skipped, kvk);
    } else if (addFirst.run(...row).changes === 0) {
      if (onRepeated !== undefined) noteRepeat(row, firstOf.all(kvk));
      addRepeat.run(...row);
      repeated++;
    } else {
      companies++;
      setBit(written, kvk);
      if (hasBit(skipped, 0, kvk)) {
        unchanged--;
        repeated++;
        noteRepeat(row, current?.rows(kvk)?.byOrigin ?? []);
      }
      // Awaits only when the queue is full, because an await takes as long as writing a row.
      const queued = indexing?.add(clean);
      if (queued !== undefined) await queued;
    }
    const done = companies + unchanged + repeated;
    if (done % ROWS_PER_PROGRESS === 0) onProgress({ stage: "reading", done });
  }
  db.exec("COMMIT");
  return { facts: companies + unchanged + repeated, companies, unchanged, repeated };
}
