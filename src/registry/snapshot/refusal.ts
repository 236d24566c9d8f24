/** Why work on the registry cannot be done, in words for whoever asked for it: what is wrong and what to do. */
export class RegistryRefusal extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = new.target.name;
  }
}

const SQLITE_FULL = 13;
/** Read-only, input/output error, cannot open: https://www.sqlite.org/rescode.html */
const SQLITE_UNWRITABLE: readonly unknown[] = [8, 10, 14];

/** The folder of the registry cannot be written. */
export class RegistryNotWritable extends RegistryRefusal {
  constructor(directory: string, cause: unknown) {
    const hint = isFull(cause)
      ? "the disk is full; make room"
      : "check that the folder exists and that you may write in it";
    super(`The registry in ${directory} cannot be written: ${hint}, and try again. Nothing has changed.`, {
      cause,
    });
  }
}

/** The folder of the registry is no folder, or may not be read. */
export class RegistryNotReadable extends RegistryRefusal {
  constructor(directory: string, cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    super(
      `The registry in ${directory} cannot be read${code}: check that DATA_DIR names a folder and that you may read it.`,
      { cause },
    );
  }
}

/** The error itself, or in its place the refusal that it means for work in `directory`. */
export function asRefusal(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  const isUnwritable = isFull(error) || SQLITE_UNWRITABLE.includes(error.errcode);
  return isUnwritable ? new RegistryNotWritable(directory, error) : error;
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_FULL;
}
