import { importFacts } from "../registry/importFacts.ts";
import { readPointerIfWhole } from "../registry/install.ts";
import { STDIN } from "./open/openInput.ts";
import { ImportRefused } from "./outcome.ts";
import { FileReading } from "./reading.ts";
import { Rejects } from "./rejects.ts";
import type { ImportReport } from "./report.ts";
import type { ImportRequest } from "./request.ts";

/**
 * Imports files of one format into the registry: the work behind `opzoek import`. Streams, with flat memory. A bad
 * record is skipped and counted.
 * @throws {ImportRefused} when a file cannot be read or is not what the format expects, and then nothing has changed
 * @throws {RegistryBusy | DamagedSnapshot | ShrinkRefused} as {@link importFacts} does
 */
export async function importFiles(request: ImportRequest): Promise<ImportReport> {
  const startedMs = performance.now();
  const { format, files } = request;
  if (files.length === 0) throw new ImportRefused("There is no file to import.");
  if (files.filter((file) => file === STDIN).length > 1) {
    throw new ImportRefused("Standard input (-) can be read once only.");
  }
  if (files.includes(STDIN) && request.asOf === undefined && (format === "csv" || format === "kvk")) {
    throw new ImportRefused(
      `Standard input has no time, and the format ${format} carries none: pass --as-of DATE, the date of the data.`,
    );
  }
  const rejects = request.rejectsPath === undefined ? undefined : new Rejects(request.rejectsPath);
  const pointer = readPointerIfWhole(request.directory);
  const sources = pointer === undefined || pointer === "damaged" ? [] : pointer.current.origins;
  const reading = new FileReading(request, rejects, sources);
  try {
    const { snapshot, counts, wrote, gone } = await importFacts(request.directory, reading.facts(), {
      replace: request.replace ?? false,
      mayShrink: request.allowShrink ?? false,
      ...(request.omit !== undefined && { omit: request.omit, onOmitted: () => reading.forgetLast() }),
      onRepeated: (earlier) => reading.repeatLast(earlier),
      onProgress: ({ stage, done, total }) => {
        // Reading is shown in bytes, as their total is known.
        if (stage === "reading") return;
        request.onProgress?.({ stage, unit: "companies", done, ...(total === undefined ? {} : { total }) });
      },
    });
    return {
      format,
      files,
      read: reading.read,
      outside: reading.outside,
      skipped: reading.skipped.total,
      used: reading.used,
      ...counts,
      skippedByReason: reading.skipped.byReason(),
      leftOutByReason: reading.leftOut.byReason(),
      unended: reading.unended,
      unused: reading.unused,
      gone,
      wrote,
      ...(snapshot === undefined ? {} : { snapshot }),
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await rejects?.close();
  }
}
