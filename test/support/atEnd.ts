import { afterAll } from "vitest";

const closers: (() => unknown)[] = [];

/** Runs `close` when all tests of the file have ended; what came last goes first. */
export function atEnd(close: () => unknown): void {
  closers.push(close);
}

afterAll(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
});
