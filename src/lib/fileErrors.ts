/** The system's error code for a file, a folder or a pipe, such as `ENOSPC`; undefined for any other error. */
export function fileErrorOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && "syscall" in error ? String(error.code) : undefined;
}
