import type { Command } from "commander";
import type { Settings } from "../config.ts";

/** What a command may use. Nothing is opened before a command asks for it. */
export interface CliContext {
  /** Checked settings; throws SettingError on the first use when one is bad. */
  settings(): Settings;
  /** A line on stdout: results only, so that output can be piped. */
  out(line: string): void;
  /** A line on stderr: progress, hints, reasons. */
  err(line: string): void;
  /** Whether stderr is a terminal: a progress bar there, a line now and then elsewhere. */
  readonly stderrIsTerminal: boolean;
}

/** Adds one command (with its subcommands) to the program. Each file of this folder exports one. */
export type AddCommand<Context extends CliContext = CliContext> = (
  program: Command,
  context: Context,
) => void;

/** The command could not be carried out: exit code 1. The message says what to do. */
export class CommandFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandFailure";
  }
}

/** The command was called wrongly: exit code 2. */
export class WrongUse extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WrongUse";
  }
}
