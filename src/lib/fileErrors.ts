/** The system's code of a file, a folder or a pipe that cannot be read or written, such as `ENOSPC`; undefined for any other error. */
export function fileErrorOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && "syscall" in error ? String(error.code) : undefined;
}
