/** The states that a kill can leave in a folder, at any moment of a process's work. */
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** Calls of the file system, including those made by streams. */
const CALLS = [
  ...["openSync", "writeSync", "fsyncSync", "renameSync", "rmSync", "mkdirSync", "writeFileSync"],
  ...["open", "read", "write", "fsync", "close"],
];
const CALLS_WITH_PROMISES = ["open", "stat", "rm"];

/** Calls `step` before each call of the file system, until stopped or the test ends. */
function beforeEachCall(step: () => void): () => void {
  const undo: (() => void)[] = [];
  const wrap = (of: object, name: string) => {
    const real: unknown = Reflect.get(of, name);
    if (typeof real !== "function") throw new Error(`there is no ${name}`);
    Reflect.set(of, name, (...given: unknown[]) => {
      step();
      return Reflect.apply(real, of, given);
    });
    undo.push(() => Reflect.set(of, name, real));
  };
  for (const name of CALLS) wrap(fs, name);
  for (const name of CALLS_WITH_PROMISES) wrap(promises, name);
  syncBuiltinESMExports();
  const stop = () => {
    for (const one of undo.splice(0)) one();
    syncBuiltinESMExports();
  };
  onTestFinished(stop);
  return stop;
}

/**
 * A kill leaves the folder as it is at that moment, so doing the work once gives the folders of all kills, before every
 * `nth` call and after the last.
 * @returns the copies, in order
 */
export async function foldersOfKills(
  folder: string,
  work: () => Promise<unknown>,
  nth: number,
): Promise<string[]> {
  const copies: string[] = [];
  let calls = 0;
  let isCopying = false;
  const copyNow = () => {
    isCopying = true;
    const copy = `${folder}-${calls}`;
    fs.cpSync(folder, copy, { recursive: true });
    copies.push(copy);
    isCopying = false;
  };
  const stop = beforeEachCall(() => {
    if (!isCopying && ++calls % nth === 0) copyNow();
  });
  await work();
  stop();
  calls++;
  copyNow();
  return copies;
}
