import type { Command } from "commander";
import type { Accounts } from "../accounts/accounts.ts";
import type { PeopleStore } from "../accounts/peopleStore.ts";
import type { Stoppable } from "../app/process/untilStopped.ts";
import type { Settings } from "../app/settings/settings.ts";
import type { LiveSource } from "../kvk/liveSource.ts";
import type { LiveStore } from "../kvk/store.ts";
import type { ForgottenStore } from "../lookup/forgotten/store.ts";
import type { LedgerStore } from "../metering/store.ts";

/** How a service is started. */
export interface ServeOptions {
  /** Whether it may start with accounts whose tiers the settings lack; else it refuses. */
  readonly allowsUnknownTiers?: boolean;
}

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
  /** Makes room in DATA_DIR for what SQLite sorts: for work on much data, before SQLite is used. */
  keepTemporaryFiles(dataDir: string): void;
  /** KVK numbers of what must be forgotten; none where there is no state yet. */
  forgotten(): Promise<ReadonlySet<string>>;
}

/** A command's context with the service and its state; `changed` settings replace those of the environment. */
export interface ServiceContext extends CliContext {
  /** Of the program, as `package.json` states it. */
  readonly version: string;
  /** Starts the service; it runs until it is stopped. */
  serve(changed?: Partial<Settings>, options?: ServeOptions): Promise<Running>;
  /** Whether the state holds the demo's accounts, whose keys everybody knows. */
  holdsDemo(): Promise<boolean>;
  /** Opens the state, hands it over and closes it again. What the settings lack of it is told on stderr. */
  withAccounts<T>(
    use: (accounts: Accounts, state: LedgerStore & { readonly people: PeopleStore }) => Promise<T>,
    changed?: Partial<Settings>,
  ): Promise<T>;
  /** Opens what the state holds of the live registry and of what must be forgotten, and closes it again. */
  withRegistryState<T>(use: (state: LiveStore & ForgottenStore) => Promise<T>): Promise<T>;
  /** The same with the live source, which makes so many paid calls at most. @throws {CommandFailure} when none is set up */
  withLive<T>(mostCalls: number, use: (live: LiveParts) => Promise<T>): Promise<T>;
  /**
   * Copies the state to an empty one and leaves it as it is. `to` is the address of a database, or `embedded` for the
   * state in DATA_DIR. Only while no service runs.
   */
  moveState(to: string, onProgress: (rows: number) => void): Promise<StateSummary>;
  /** The state as it is at one moment, line by line, also while a service runs. */
  exportState(): AsyncIterable<string>;
  /** Puts such lines into an empty state, all or nothing. Only while no service runs. */
  importState(lines: AsyncIterable<string>, onProgress: (rows: number) => void): Promise<StateSummary>;
  /** Whether an error's message tells an operator what to do, so that no stack is needed. */
  isForOperator(error: unknown): boolean;
  /** The OpenAPI document. */
  apiDocument(): Promise<object>;
}

/** The live source, and what it told. */
export interface LiveParts {
  readonly source: LiveSource;
  readonly store: LiveStore;
  /** How many of the paid calls may still be made. */
  readonly callsLeft: () => number;
}

/** What a whole state consists of. */
export interface StateSummary {
  readonly rows: number;
  /** Of its export, in hex. */
  readonly sha256: string;
}

/** A service that listens. */
export interface Running extends Stoppable {
  readonly address: string;
  readonly hasRegistry: boolean;
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
