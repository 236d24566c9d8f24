/**
 * Records in DATA_DIR of the last import of each format and of the last publication, for `opzoek doctor` and the
 * metrics.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeInPlace } from "../lib/inPlace.ts";

/** Work without an end after this time was killed; `deploy/systemd` stops an import then. */
const MAX_DURATION_MS = 6 * 3_600_000;

interface LastWork {
  /** A command without `opzoek`. */
  readonly command: string;
  /** When it failed, Unix milliseconds; 0 if it succeeded or is running. */
  readonly failedAtMs: number;
  readonly reason?: string;
}

/** Runs a command, named without `opzoek`, and records whether it failed. */
export async function recordWork<Result extends { readonly failure?: string | undefined }>(
  dataDir: string,
  command: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const record = (failedAtMs: number, reason?: string) => {
    try {
      const text = JSON.stringify({ command, failedAtMs, reason });
      writeInPlace(dataDir, `last-${command.replace(" ", "-")}.json`, text);
    } catch {
      // It may succeed without a record.
    }
  };
  record(Date.now() + MAX_DURATION_MS, "it was stopped before its end");
  try {
    const result = await run();
    record(result.failure === undefined ? 0 : Date.now(), result.failure);
    return result;
  } catch (error) {
    record(Date.now(), error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Reads the records of a DATA_DIR. Unreadable ones are omitted. */
export function readLastWork(dataDir: string, nowMs = Date.now()): readonly LastWork[] {
  return globSync("last-*.json", { cwd: dataDir }).flatMap((file) => {
    try {
      const last: LastWork = JSON.parse(readFileSync(join(dataDir, file), "utf8"));
      return { ...last, failedAtMs: last.failedAtMs > nowMs ? 0 : last.failedAtMs };
    } catch {
      return [];
    }
  });
}
