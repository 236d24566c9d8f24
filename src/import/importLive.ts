import type { SourcedFacts } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import { KVK_API_ORIGIN } from "../kvk/liveSource.ts";
import type { LiveQueries } from "../kvk/queries/live.ts";
import { losesBranches, storedFacts } from "../kvk/storedFacts.ts";
import { importFacts } from "../registry/importFacts.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { dataDay, FORGOTTEN_COMPANY } from "./reading.ts";
import { type ImportReport, Tally } from "./report.ts";
import type { ImportFilesProgress } from "./request.ts";

export interface LiveImport {
  /** The registry's folder. */
  readonly directory: string;
  readonly store: LiveQueries;
  /** KVK numbers that must not get into the registry. */
  readonly omit: ReadonlySet<string>;
  readonly onProgress: (progress: ImportFilesProgress) => void;
}

const SOURCE = "KVK's stored answers";
const LOSES_BRANCHES: Rejection = {
  reason: "has branches in the registry but not in the answer (opzoek refresh fetches them)",
};

/**
 * Adds the companies in the live cache to the registry, with the date of each answer. Streams, with flat memory.
 * @throws {RegistryBusy | DamagedSnapshot | RegistryNotWritable} as {@link importFacts} does
 */
export async function importLive({ directory, store, omit, onProgress }: LiveImport): Promise<ImportReport> {
  const startedMs = performance.now();
  const skipped = new Tally();
  const today = dataDay(Date.now());
  let read = 0;
  const snapshot = openCurrentSnapshot(directory);
  async function* facts(): AsyncGenerator<SourcedFacts> {
    for await (const sourced of storedFacts(store, KVK_API_ORIGIN, 0)) {
      onProgress({ stage: `reading ${SOURCE}`, unit: "companies", done: ++read });
      if (snapshot !== undefined && losesBranches(snapshot, sourced))
        skipped.add(SOURCE, read, LOSES_BRANCHES);
      else yield Date.parse(sourced.asOf) < today.endsMs ? sourced : { ...sourced, asOf: today.asOf };
    }
  }
  try {
    const { snapshot: installed, ...result } = await importFacts(directory, facts(), {
      replace: false,
      omit,
      onOmitted: () => skipped.add(SOURCE, read, FORGOTTEN_COMPANY),
      onProgress: (progress) => {
        if (progress.stage !== "reading") onProgress({ ...progress, unit: "companies" });
      },
    });
    const { counts, wrote, gone } = result;
    return {
      ...{ format: "live", files: [], read, outside: 0, skipped: skipped.total, used: read - skipped.total },
      ...counts,
      ...{ skippedByReason: skipped.byReason(), leftOutByReason: [], unended: [], unused: [], gone, wrote },
      ...(installed !== undefined && { snapshot: installed }),
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    snapshot?.close();
  }
}
