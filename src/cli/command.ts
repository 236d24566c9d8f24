import type { Command } from "commander";
import type { Accounts } from "../accounts/accounts.ts";
import type { rotateSecrets } from "../accounts/sealRotation.ts";
import type { SignupMode } from "../contract/accountResources.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { CallTool } from "../http/mcp/tools.ts";
import type { LimitedCalls } from "../kvk/budget/callBudget.ts";
import type { LiveSource } from "../kvk/liveSource.ts";
import type { LiveStore } from "../kvk/store.ts";
import { OperatorError } from "../lib/operatorError.ts";
import type { CompletedBackup } from "../storage/backup/backupState.ts";
import type { RestoredState } from "../storage/backup/restoreState.ts";
import type { StateReport } from "../storage/checking/checkState.ts";
import type { Summary } from "../storage/moving/exportLines.ts";
import type { StateStore } from "../storage/stateStore.ts";

/** The settings that commands read. */
export interface CommandSettings {
  readonly DATA_DIR: string;
  readonly DATABASE_URL: string | undefined;
  readonly HOST: string;
  readonly PUBLIC_URL: string | undefined;
  readonly TIERS_FILE: TierTable;
  readonly REGISTRY_URL: string | undefined;
  readonly REGISTRY_HEADERS: Readonly<Record<string, string>>;
  readonly REGISTRY_PUBLIC_KEY: readonly string[];
  readonly REGISTRY_PRIVATE_KEY_FILE: string | undefined;
  readonly REGISTRY_MAX_BYTES: number;
  readonly REGISTRY_FRESH_FOR: number;
  readonly OPZOEK_URL: string | undefined;
  readonly OPZOEK_KEY: string | undefined;
}

/** The settings that a command may override. */
export type ChangedSettings = Partial<
  Pick<CommandSettings, "DATA_DIR" | "DATABASE_URL" | "REGISTRY_URL"> & {
    readonly WORKERS: number;
    readonly KVK_API_KEY: string | undefined;
    readonly SIGNUP: SignupMode;
    readonly VIES_URL: string;
  }
>;

export interface ServeOptions {
  /** Start even if accounts have tiers that the settings lack. */
  readonly allowsUnknownTiers?: boolean;
  /** Called when the service listens at `address`. */
  readonly onListening?: (service: { readonly address: string; readonly hasRegistry: boolean }) => void;
}

/** The destination of stdout. */
export interface Screen {
  /** Width of the terminal; undefined for a file or a pipe, where nothing is truncated. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
}

/** The source of stdin. */
export interface Input {
  readonly isTerminal: boolean;
  lines(): AsyncIterable<string>;
}

/** Everything that a command may use, opened on first use. */
export interface CliContext {
  /** Checked settings. @throws {UsageError} on the first call if one is invalid */
  settings(): CommandSettings;
  /** A line on stdout: results only, so that output can be piped. */
  out(line: string): void;
  /** A line on stderr: progress, hints, reasons. */
  err(line: string): void;
  readonly stderrIsTerminal: boolean;
  readonly screen: Screen;
  readonly input: Input;
  /** Keeps SQLite's temporary files in DATA_DIR. Call it before SQLite is used, for work on much data. */
  setTemporaryFolder(dataDir: string): void;
  /** KVK numbers on the suppression list; empty if there is no state yet. */
  suppressed(): Promise<ReadonlySet<string>>;
  /** Runs something until SIGTERM, SIGINT or SIGHUP, then stops it. `escaped` receives uncaught errors. */
  untilStopped(running: { stop(): Promise<void>; escaped(error: unknown): void }): Promise<void>;
  /** The settings of a first node, for the help. */
  readonly firstSettings: readonly { readonly name: string; readonly meaning: string }[];
  /** Version, commit, Node.js and layouts in one line. */
  releaseLine(): Promise<string>;
  /** Runs the service until SIGTERM, SIGINT or SIGHUP. */
  serve(changed?: ChangedSettings, options?: ServeOptions): Promise<void>;
  /**
   * Runs work that needs the state until SIGTERM, SIGINT or SIGHUP, which are handled from the start. With `waits` it restarts
   * the work when an unreachable database is available again.
   */
  withItsState(
    work: (stopping: AbortSignal) => Promise<void>,
    options: { readonly waits: boolean },
  ): Promise<void>;
  /**
   * Upgrades the state to this version, irreversibly. Every other call here refuses an older state.
   * @returns the last change before and after; undefined if the state was up to date
   */
  upgradeState(options?: {
    readonly changed?: ChangedSettings;
    /** Whether to report it in the service's log. */
    readonly isLogged?: boolean;
    /** Ends the wait for a database. */
    readonly stopping?: AbortSignal;
  }): Promise<{ readonly from: string; readonly to: string } | undefined>;
  /** Whether the state contains the demo's accounts, whose keys are public. */
  hasDemo(stopping: AbortSignal): Promise<boolean>;
  /** Opens the state for `use` and closes it again. Reports tiers that the settings lack on stderr. */
  withAccounts<T>(
    use: (accounts: Accounts, state: Pick<StateStore, "ledger" | "testLedger" | "people">) => Promise<T>,
    changed?: ChangedSettings,
  ): Promise<T>;
  /** Opens the company data in the state, and closes it again. */
  withRegistryState<T>(use: (state: RegistryState) => Promise<T>): Promise<T>;
  /** Removes suppressed companies from the stored results of lists, in small steps, also while a service runs. */
  cleanLists(onStep: (steps: number) => void): Promise<void>;
  /** Encrypts two-factor secrets under the first present key, also while a service runs. */
  rotateSecrets(onSecret: (done: number) => void): ReturnType<typeof rotateSecrets>;
  /** Opens the company data and the live source, limited to `maxCalls` paid calls. @throws {CommandFailure} if no live source is configured */
  withLive<T>(maxCalls: number, use: (live: LiveParts) => Promise<T>): Promise<T>;
  /**
   * Copies the state to an empty one and leaves the original unchanged. `to` is the address of a database, or `embedded` for
   * the state in DATA_DIR. Only while no service is running.
   */
  moveState(to: string, onProgress: (rows: number) => void): Promise<Summary>;
  /** The state at one moment, line by line. Works while a service is running. */
  exportState(): AsyncIterable<string>;
  /** Imports such lines into an empty state, all or nothing. Only while no service is running. */
  importState(lines: AsyncIterable<string>, onProgress: (rows: number) => void): Promise<Summary>;
  /** Checks the state's consistency. Works while a service is running. `onRule` receives the rule being checked. */
  checkState(onRule: (name: string) => void): Promise<StateReport>;
  /** Backs the embedded state up into a new file of a folder. Works while a service is running. */
  backUp(folder: string, onProgress: CopyProgress): Promise<CompletedBackup>;
  /** Replaces the embedded state by such a file while no service is running. `replaces`: moves an existing state aside. */
  restore(from: string, replaces: boolean, onProgress: CopyProgress): Promise<RestoredState>;
  /** Checks everything that a service depends on. `onCheck` receives the name of each check. */
  examine(onCheck: (name: string) => void): Promise<readonly Diagnosis[]>;
  /** The OpenAPI document. */
  apiDocument(): Promise<object>;
  /** Serves the Model Context Protocol over stdin and stdout until stdin ends; `callTool` runs a known tool. */
  serveMcp(callTool: CallTool): Promise<void>;
}

/** The condition of one dependency of a service. */
export interface Diagnosis {
  readonly check: string;
  /** A service works despite a warning. With a problem it does not, or soon will not. */
  readonly condition: "good" | "warning" | "problem";
  readonly found: string;
  readonly remedy?: string;
}

/** Receives the progress of a copy and of its verification. */
export interface CopyProgress {
  onCopied(done: number, all: number): void;
  onChecking(rule: string): void;
}

/** The companies in the state: cached answers of a live registry, stored responses, and the suppression list. */
export type RegistryState = Pick<StateStore, "live" | "suppressed" | "responses">;

/** The live source and its stored answers. */
export interface LiveParts {
  readonly source: LiveSource;
  readonly store: LiveStore;
  /** Its paid calls. */
  readonly calls: Pick<LimitedCalls, "made" | "isOver">;
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
