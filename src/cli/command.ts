import type { Command } from "commander";
import type { Settings } from "../app/settings/settings.ts";
import { OperatorError } from "../lib/operatorError.ts";
import type { Terminal } from "./terminal.ts";

/** The settings and the terminal of a command. */
export interface CliContext extends Required<Terminal> {
  /** Checked settings, with changes as in the environment. @throws {SettingError} if one is invalid */
  settings(changed?: Readonly<Record<string, string>>): Settings;
  /** Keeps SQLite's temporary files in DATA_DIR. Call it before SQLite is used, for work on much data. */
  setTemporaryFolder(dataDir: string): void;
}

/** Adds one command, with its subcommands, to the program. */
export type AddCommand = (program: Command, context: CliContext) => void;

/** The command failed: exit code 1. The message contains the remedy. */
export class CommandFailure extends OperatorError {
  override readonly name = "CommandFailure";
}

/** The command was used wrongly: exit code 2. */
export class UsageError extends OperatorError {
  override readonly name = "UsageError";
  override readonly exitCode = 2;
}
