import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { bundled } from "../kit/bundled.ts";
import { amount } from "../kit/thorough.ts";
import { load, replicaIn } from "./loadedState.ts";

/** How many moments of each load are tested. */
const MOMENTS = amount({ ordinary: 4, thorough: 60 });
const AT_ONCE = 2;

const folder = mkdtempSync(join(tmpdir(), "opzoek-killed-load-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));
/** A state with the register of the first day. */
const first = join(folder, "first.sqlite");
let program: string;

beforeAll(async () => {
  program = await bundled(join(import.meta.dirname, "loadedState.ts"));
  await load(first, 1);
});

/**
 * Loads a day in a process that kills itself before one of its statements.
 * @returns their number if it was not killed
 */
async function loadUntil(path: string, day: number, moment: number): Promise<string> {
  const script = `
    import { StatementSync } from "node:sqlite";
    const { load } = await import(${JSON.stringify(program)});
    let [calls, isStarted] = [0, false];
    for (const name of ["all", "run", "get"]) {
      const real = StatementSync.prototype[name];
      StatementSync.prototype[name] = function (...given) {
        if (isStarted && ++calls === ${moment}) process.kill(process.pid, "SIGKILL");
        return real.apply(this, given);
      };
    }
    await load(${JSON.stringify(path)}, ${day}, () => (isStarted = true));
    console.log(calls);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([code, signal]).toEqual(printed === "" ? [null, "SIGKILL"] : [0, null]);
  return printed.trim();
}

const newState = (day: number, name: string): string => {
  const path = join(folder, `${day}-${name}.sqlite`);
  if (day === 2) copyFileSync(first, path);
  return path;
};

it.each([1, 2] as const)(
  "killed at any moment of a load, it continues to the same replica: day %i",
  async (day) => {
    const whole = newState(day, "whole");
    const statements = Number(await loadUntil(whole, day, 0));
    expect(statements).toBeGreaterThan(50);
    const expected = await replicaIn(whole);
    expect(expected.due).toBe(0);
    expect(expected.cases).toHaveLength(day === 1 ? 9 : 8);
    const moments = Array.from(
      { length: MOMENTS },
      (_, index) => 1 + Math.floor(((index + 0.5) * statements) / MOMENTS),
    );
    const waiting = moments.values();
    const work = async (): Promise<void> => {
      for (const moment of waiting) {
        const path = newState(day, `killed-${moment}`);
        expect(await loadUntil(path, day, moment), `moment ${moment} of ${statements}`).toBe("");
        await load(path, day);
        expect(await replicaIn(path), `moment ${moment} of ${statements}`).toEqual(expected);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
);
