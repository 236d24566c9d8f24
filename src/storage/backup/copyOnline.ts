import { backup, DatabaseSync } from "node:sqlite";
import { makeOwnFile } from "../../lib/ownFiles.ts";

/** A mebibyte in pages of 4 KiB: the copy goes on between other work, and can be told how far it is. */
const PAGES_PER_STEP = 256;
const BUSY_TIMEOUT_MS = 5_000;

export type OnCopied = (donePages: number, allPages: number) => void;

/**
 * Copies a state's file as it is at one moment, in steps, beside those who write to it: none of them waits. The open transaction keeps that
 * moment while others commit to the WAL (sqlite.org/isolation.html), without it every commit would begin the copy anew. The copy is one
 * file, whole by itself, for its owner alone.
 * @throws {Error} when either file cannot be read or written
 */
export async function copyOnline(path: string, target: string, onCopied: OnCopied): Promise<void> {
  makeOwnFile(target);
  const source = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    source.exec("begin");
    // The transaction has its moment from the first reading on.
    source.prepare("select count(*) from sqlite_schema").get();
    await backup(source, target, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onCopied(totalPages - remainingPages, totalPages),
    });
    source.exec("rollback");
    // What was committed meanwhile is put into the file here, so that the service's next commit need not do it at once.
    source.exec("pragma wal_checkpoint(passive)");
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(target);
  try {
    // Else whoever opens it makes files beside it, which must stay with it.
    copy.exec("pragma journal_mode = delete");
  } finally {
    copy.close();
  }
}
