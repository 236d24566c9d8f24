/** Records in DATA_DIR of the last import of each format and of the last publication, for `opzoek doctor` and the metrics. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeInPlace } from "../lib/inPlace.ts";

const RECORDED = [
  "import gleif",
  "import kvk",
  "import csv",
  "import jsonl",
  "import live",
  "registry publish",
] as const;
/** A command without `opzoek`. */
export type RecordedWork = (typeof RECORDED)[number];

/** Work without an end after this time was killed; `deploy/systemd` stops an import then. */
const MAX_DURATION_MS = 6 * 3_600_000;
const MAX_REASON_LENGTH = 500;

export interface LastWork {
  readonly what: RecordedWork;
  /** When it failed, Unix milliseconds; undefined if it succeeded or is running. */
  readonly failedAtMs: number | undefined;
  readonly reason: string;
}

/** Runs work and records whether it failed. */
export async function recordWork<Result extends { readonly failure?: string | undefined }>(
  dataDir: string,
  what: RecordedWork,
  work: () => Promise<Result>,
): Promise<Result> {
  const record = (isEnded: boolean, failure?: string) => {
    const reason = failure?.slice(0, MAX_REASON_LENGTH);
    try {
      writeInPlace(dataDir, fileOf(what), `${JSON.stringify({ atMs: Date.now(), isEnded, reason })}\n`);
    } catch {
      // A record that cannot be written must not prevent the work.
    }
  };
  record(false);
  try {
    const result = await work();
    record(true, result.failure);
    return result;
  } catch (error) {
    record(true, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Reads the records of a DATA_DIR. Unreadable ones are omitted. */
export function readLastWork(dataDir: string, nowMs: number): readonly LastWork[] {
  return RECORDED.flatMap((what) => {
    try {
      const text = readFileSync(join(dataDir, fileOf(what)), "utf8");
      const { atMs, isEnded, reason }: Readonly<Record<string, unknown>> = JSON.parse(text);
      if (typeof atMs !== "number") return [];
      if (typeof reason === "string") return { what, failedAtMs: atMs, reason };
      const wasKilled = isEnded !== true && nowMs - atMs > MAX_DURATION_MS;
      const failedAtMs = wasKilled ? atMs + MAX_DURATION_MS : undefined;
      return { what, failedAtMs, reason: "it was stopped before its end" };
    } catch {
      return [];
    }
  });
}

function fileOf(what: RecordedWork): string {
  return `last-${what.replace(" ", "-")}.json`;
}
