const closers: (() => unknown)[] = [];

/**
 * Runs `close` when all tests of the file have ended; what came last goes first. To be called by what a file calls, never when a
 * module of the kit is loaded: modules stay from file to file, and what they opened would be closed after the first.
 */
export function afterFile(close: () => unknown): void {
  closers.push(close);
}

/** Closes what the file's tests have opened; `closeAfterFile.ts` has this done after each file. */
export async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}
