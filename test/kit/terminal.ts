/** For tests: commands in a separate data folder, run as `main.ts` runs them. */
import { join } from "node:path";
import { expect } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { opzoek } from "./opzoek.ts";
import { temporaryFolder } from "./registry.ts";

/** A command's exit code and output. */
export interface CommandResult {
  readonly code: number | null;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

export interface Terminal {
  readonly directory: string;
  run(...words: string[]): Promise<CommandResult>;
  /** Adds companies to the registry. */
  add(...facts: SourcedFacts[]): Promise<void>;
}

/** An empty data folder, and a terminal that uses it. */
export function terminal(): Terminal {
  const dataDir = join(temporaryFolder(), "data");
  const directory = registryDirectory(dataDir);
  return {
    directory,
    async run(...words) {
      const { code, out, err } = await opzoek(words, { DATA_DIR: dataDir });
      return { code, out: linesOf(out), err: linesOf(err) };
    },
    async add(...facts) {
      await importFacts(directory, facts, { replace: false });
    },
  };
}

function linesOf(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

/** A matcher for a command that ended with this code and stderr. */
export function endedWith(code: 1 | 2, stderr: string | RegExp): object {
  const matchesStderr =
    typeof stderr === "string" ? expect.stringContaining(stderr) : expect.stringMatching(stderr);
  return { code, err: expect.arrayContaining([matchesStderr]) };
}
