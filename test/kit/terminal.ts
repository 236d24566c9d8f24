/** For tests: commands in a data folder of their own, and what they say. */
import { join } from "node:path";
import { Command } from "commander";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { AddCommand, AskingContext, RunningContext } from "../../src/cli/command.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/places.ts";
import { temporaryFolder } from "./registry.ts";

/** Settings as the environment gives them. */
export const settingsOf = readSettings;

export interface Terminal {
  readonly directory: string;
  /** Runs one command line. @returns what it said */
  run(...words: string[]): Promise<{ out: string[]; err: string[] }>;
  /** Puts companies into the registry, beside those that are there. */
  add(...facts: SourcedFacts[]): Promise<void>;
  /** What must be forgotten; empty at first. */
  readonly forgotten: Set<string>;
}

/** A data folder with nothing in it, and these commands to work on it. */
export function terminal(...commands: AddCommand<RunningContext & AskingContext>[]): Terminal {
  const dataDir = join(temporaryFolder(), "data");
  const directory = registryDirectory(dataDir);
  const forgotten = new Set<string>();
  return {
    directory,
    forgotten,
    async run(...words) {
      const out: string[] = [];
      const err: string[] = [];
      const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
      for (const addCommand of commands) {
        addCommand(program, {
          settings: () => settingsOf({ DATA_DIR: dataDir }),
          out: (line) => void out.push(line),
          err: (line) => void err.push(line),
          stderrIsTerminal: false,
          screen: { columns: undefined, hasColours: false },
          input: { isTerminal: true, async *lines() {} },
          keepTemporaryFiles() {},
          untilStopped: async ({ stop }) => stop(),
          suppressed: async () => forgotten,
        });
      }
      await program.parseAsync(words, { from: "user" });
      return { out, err };
    },
    async add(...facts) {
      await importFacts(directory, facts, { replace: false });
    },
  };
}
