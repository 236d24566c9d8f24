/** What is run by a command tells by its exit code that it failed, though it has loaded a PostgreSQL of its own. */
import { expect, it } from "vitest";
import { ROOT } from "./architecture/repository.ts";
import { startProgram } from "./kit/program.ts";

it.each(["bench/postgres.ts", "test/kit/oncePerRun.ts"])(
  "%s leaves the exit code as it was set",
  async (path) => {
    const script = `await import("./${path}"); process.exitCode = 3;`;
    const words = ["--input-type=module", "-e", script];
    expect((await startProgram(process.execPath, words, { cwd: ROOT }).ended).code).toBe(3);
  },
);
