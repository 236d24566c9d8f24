/** A program's failure is visible in its exit code, even if it has loaded an embedded PostgreSQL. */
import { expect, it } from "vitest";
import { ROOT } from "./architecture/repository.ts";
import { startProgram } from "./kit/program.ts";

it.each(["bench/postgres.ts", "test/kit/oncePerRun.ts"])(
  "%s leaves the exit code unchanged",
  async (path) => {
    const script = `await import("./${path}"); process.exitCode = 3;`;
    const words = ["--input-type=module", "-e", script];
    expect((await startProgram(process.execPath, words, { cwd: ROOT }).ended).code).toBe(3);
  },
);
