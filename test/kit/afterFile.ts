const closers: (() => unknown)[] = [];

/**
 * Runs `close` after all tests of the file, last registered first. Call it from a function that a test file calls,
 * never while a module of the kit is loaded: modules are shared between files, so it would run only after the first.
 */
export function afterFile(close: () => unknown): void {
  closers.push(close);
}

/** Closes everything that the file's tests opened; `closeAfterFile.ts` calls it after each file. */
export async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}
