import { fileErrorOf } from "../lib/fileErrors.ts";
import { OperatorError } from "../lib/operatorError.ts";

/** Work on the registry failed. The message is for the operator: the problem and what to do. */
export class RegistryRefusal extends OperatorError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The bits of an extended result code with the primary one. */
const PRIMARY_CODE = 0xff;
const SQLITE_FULL = 13;
/** Read-only, input/output error, cannot open: https://www.sqlite.org/rescode.html */
const SQLITE_UNWRITABLE = [8, 10, 14];
/** Error codes of the file system with the same meaning. */
const FULL = ["ENOSPC", "EDQUOT"];
const UNWRITABLE = ["EACCES", "EPERM", "EROFS", "EIO"];
/** The folder for temporary files is missing or cannot be written. */
const SQLITE_IOERR_GETTEMPPATH = 6410;

/** The folder of the registry cannot be written. */
export class RegistryNotWritable extends RegistryRefusal {
  constructor(directory: string, cause: unknown) {
    const hint = isFull(cause)
      ? "the disk is full; make room"
      : resultCodeOf(cause) === SQLITE_IOERR_GETTEMPPATH
        ? "the folder tmp in DATA_DIR, for temporary files, is missing or you may not write in it"
        : "check that the folder exists and that you may write in it";
    super(`The registry in ${directory} cannot be written: ${hint}, and try again. Nothing has changed.`, {
      cause,
    });
  }
}

/** The folder of the registry cannot be read. */
export class RegistryNotReadable extends RegistryRefusal {
  constructor(directory: string, cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    super(
      `The registry in ${directory} cannot be read${code}: check that DATA_DIR names a folder and that you may read it.`,
      { cause },
    );
  }
}

/** Another import, rollback, publication or fetch is running in the same folder. */
export class RegistryBusy extends RegistryRefusal {
  constructor(directory: string) {
    super(
      `Another import, rollback, publication or fetch is working in ${directory}: wait until it is done and try again.`,
    );
  }
}

/** Another file took the place of a file of a snapshot before it was opened. The next poll sees the new one. */
export class ReplacedFile extends RegistryRefusal {
  constructor(path: string) {
    super(`${path} was replaced by another file before it was opened.`);
  }
}

/** A snapshot or its pointer cannot be used. */
export class DamagedSnapshot extends RegistryRefusal {
  readonly path: string;
  readonly reason: string;

  /** @param canGoBack false for the pointer itself, which names the previous snapshot */
  constructor(
    path: string,
    reason: string,
    { canGoBack = true, ...options }: { cause?: unknown; canGoBack?: boolean } = {},
  ) {
    const advice = canGoBack
      ? 'Go back to the snapshot before it with "opzoek registry rollback", or import your data again with --replace.'
      : "Import your data again with --replace.";
    super(`${path} cannot be used: ${reason}. ${advice}`, options);
    this.path = path;
    this.reason = reason;
  }
}

/** Converts an error of work in `directory` to a refusal if possible; otherwise returns the error. */
export function asRefusal(error: unknown, directory: string): unknown {
  const code = resultCodeOf(error);
  const isOfSqlite = code !== undefined && SQLITE_UNWRITABLE.includes(code & PRIMARY_CODE);
  const isUnwritable = isOfSqlite || UNWRITABLE.includes(fileErrorOf(error) ?? "");
  return isFull(error) || isUnwritable ? new RegistryNotWritable(directory, error) : error;
}

function isFull(error: unknown): boolean {
  const code = resultCodeOf(error);
  const isOfSqlite = code !== undefined && (code & PRIMARY_CODE) === SQLITE_FULL;
  return isOfSqlite || FULL.includes(fileErrorOf(error) ?? "");
}

/** SQLite's extended result code. */
function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;
}
