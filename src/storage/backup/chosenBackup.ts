/** Which backup is meant by who names a file or a folder of backups. */
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StateRefused } from "../stateStore.ts";
import { backupsIn, describedIn, isWhole, type KeptBackup, STATE_END } from "./kept.ts";
import { readNote } from "./lastBackup.ts";

export interface ChosenBackup {
  readonly path: string;
  /** What whoever restores it should know of the choice; empty when it is the plain one. */
  readonly remarks: readonly string[];
}

/**
 * A file as it is named. Of a folder, in which backups of several DATA_DIRs may stand, the newest one of this DATA_DIR that is sound and as long as it was
 * described; where this one was never backed up, that of the only one there. One that a clock ahead of now has made says nothing about what is newest.
 * @param from a file or a folder
 * @throws {StateRefused} when there is none, or it cannot be told whose is meant
 */
export function chosenBackup(from: string, dataDir: string, nowMs: number): ChosenBackup {
  const found = statSync(from, { throwIfNoEntry: false });
  if (found === undefined)
    throw new StateRefused(`${from} is not there: name a backup, or a folder of backups`);
  const source = readNote(dataDir)?.source;
  if (!found.isDirectory()) return { path: from, remarks: remarksOn(from, source) };
  const all = backupsIn(from);
  const remarks: string[] = [];
  const usable = all.filter((backup) => {
    const reason = reasonAgainst(from, backup, nowMs);
    if (reason !== undefined) remarks.push(`passed over: ${backup.stem}${STATE_END}, ${reason}`);
    return reason === undefined;
  });
  const sources = new Set(usable.map((backup) => backup.source));
  const wanted = source !== undefined && sources.has(source) ? source : onlyOne(sources, source);
  const chosen = usable.find((backup) => backup.source === wanted);
  if (chosen !== undefined) {
    // What is older than the chosen one would not have been taken anyway.
    const newer = remarks.filter((_, index) => index < all.indexOf(chosen));
    return { path: join(from, `${chosen.stem}${STATE_END}`), remarks: newer };
  }
  if (usable.length === 0) {
    const reasons = remarks.length === 0 ? "" : ` (${remarks.join("; ")})`;
    throw new StateRefused(
      `${from} holds no sound backup that \`opzoek backup\` made${reasons}: name a file`,
    );
  }
  const newest = [...sources].map((one) => usable.find((backup) => backup.source === one)?.stem);
  throw new StateRefused(
    `${from} holds backups of ${sources.size === 1 ? "another DATA_DIR" : `${sources.size} DATA_DIRs, none of them this one`}: name the file that is meant, the newest of each is ${newest.map((stem) => `${stem}${STATE_END}`).join(", ")}`,
  );
}

/** A DATA_DIR that was never backed up, as on a new machine, takes those of the only one; one that was has its own. */
function onlyOne(sources: ReadonlySet<string>, own: string | undefined): string | undefined {
  return own === undefined && sources.size === 1 ? [...sources][0] : undefined;
}

function reasonAgainst(folder: string, backup: KeptBackup, nowMs: number): string | undefined {
  if (!backup.isSound) return "which is not sound";
  if (!isWhole(folder, backup)) return "which is gone or not as long as it was";
  return Date.parse(backup.at) > nowMs ? "which is of a moment to come by this machine's clock" : undefined;
}

function remarksOn(path: string, source: string | undefined): readonly string[] {
  const described = describedIn(dirname(path), basename(path, STATE_END));
  return source === undefined || described === undefined || described.source === source
    ? []
    : [`${path} is a backup of another DATA_DIR`];
}
