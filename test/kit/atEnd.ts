const closers: (() => unknown)[] = [];

/** Runs `close` when all tests of the file have ended; what came last goes first. */
export function atEnd(close: () => unknown): void {
  closers.push(close);
}

/** Closes what the file's tests have opened; `closing.ts` has this done after each file. */
export async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}
