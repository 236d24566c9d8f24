import type { Command } from "commander";
import type { Accounts } from "../accounts/accounts.ts";
import type { PeopleStore } from "../accounts/peopleStore.ts";
import type { SignupMode } from "../contract/accountResources.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { LimitedCalls } from "../kvk/budget/callBudget.ts";
import type { LiveSource } from "../kvk/liveSource.ts";
import type { LiveStore } from "../kvk/store.ts";
import { OperatorError } from "../lib/operatorError.ts";
import type { SuppressionStore } from "../lookup/suppression/store.ts";
import type { LedgerStore } from "../metering/ledger.ts";
import type { KeptStore } from "../metering/responses.ts";

/** What commands read of the settings. */
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

/** What a command may change of the settings of a service or of its state. */
export type ChangedSettings = Partial<
  Pick<CommandSettings, "DATA_DIR" | "DATABASE_URL" | "REGISTRY_URL"> & {
    readonly WORKERS: number;
    readonly KVK_API_KEY: string | undefined;
    readonly SIGNUP: SignupMode;
    readonly VIES_URL: string;
  }
>;

/** How a service is started. */
export interface ServeOptions {
  /** Whether it may start with accounts whose tiers the settings lack; else it refuses. */
  readonly allowsUnknownTiers?: boolean;
  /** Told once the service listens at `address`. */
  readonly onListening?: (service: { readonly address: string; readonly hasRegistry: boolean }) => void;
}

/** Where stdout goes. */
export interface Screen {
  /** How wide the terminal is; undefined when it is none, and nothing is cut. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
}

/** Where stdin comes from. */
export interface Input {
  readonly isTerminal: boolean;
  lines(): AsyncIterable<string>;
}

/** What a command may use. Nothing is opened before a command asks for it. */
export interface CliContext {
  /** Checked settings. @throws {WrongUse} on the first use when one is bad */
  settings(): CommandSettings;
  /** A line on stdout: results only, so that output can be piped. */
  out(line: string): void;
  /** A line on stderr: progress, hints, reasons. */
  err(line: string): void;
  /** Whether stderr is a terminal: a progress bar there, a line now and then elsewhere. */
  readonly stderrIsTerminal: boolean;
  /** Makes room in DATA_DIR for what SQLite sorts: for work on much data, before SQLite is used. */
  keepTemporaryFiles(dataDir: string): void;
  /** KVK numbers on the suppression list; none where there is no state yet. */
  suppressed(): Promise<ReadonlySet<string>>;
}

/** A command's context for what asks for companies, of a service or of the snapshot. */
export interface AskingContext extends CliContext {
  readonly screen: Screen;
  readonly input: Input;
}

/** A command's context for what runs until it is told to end. */
export interface RunningContext extends CliContext {
  /** Runs what was started until SIGTERM, SIGINT or SIGHUP, then stops it. `escaped` is told of an error that nobody caught. */
  untilStopped(running: { stop(): Promise<void>; escaped(error: unknown): void }): Promise<void>;
}

/** A command's context with the service and its state; `changed` settings replace those of the environment. */
export interface ServiceContext extends RunningContext, AskingContext {
  /** The settings that a single node needs first, for the help. */
  readonly firstSettings: readonly { readonly name: string; readonly meaning: string }[];
  /** A line that says which program this is: version, commit, Node.js, layouts. */
  releaseLine(): Promise<string>;
  /** Runs the service until SIGTERM, SIGINT or SIGHUP. */
  serve(changed?: ChangedSettings, options?: ServeOptions): Promise<void>;
  /**
   * Does something that runs until SIGTERM, SIGINT or SIGHUP, which are heeded from its first line, and needs the state; where it `waits`, again as
   * soon as the state's database is back where that was away.
   */
  withItsState(
    work: (stopping: AbortSignal) => Promise<void>,
    options: { readonly waits: boolean },
  ): Promise<void>;
  /**
   * Brings the state to this program's version, for good; every other call here refuses an older state.
   * @returns the last change before and after; undefined when there was nothing to do
   */
  upgradeState(options?: {
    readonly changed?: ChangedSettings;
    /** Whether the service's log says so. */
    readonly isLogged?: boolean;
    /** Ends the wait for a database. */
    readonly stopping?: AbortSignal;
  }): Promise<{ readonly from: string; readonly to: string } | undefined>;
  /** Whether the state holds the demo's accounts, whose keys everybody knows. */
  holdsDemo(stopping: AbortSignal): Promise<boolean>;
  /** Opens the state, hands it over and closes it again. What the settings lack of it is told on stderr. */
  withAccounts<T>(
    use: (
      accounts: Accounts,
      state: {
        readonly ledger: LedgerStore;
        readonly testLedger: LedgerStore;
        readonly people: PeopleStore;
      },
    ) => Promise<T>,
    changed?: ChangedSettings,
  ): Promise<T>;
  /** Opens what the state holds of the live registry and of what must be forgotten, and closes it again. */
  withRegistryState<T>(use: (state: RegistryState) => Promise<T>): Promise<T>;
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
  /** Looks whether the state agrees with itself, beside whoever uses it. `onRule` is told what is looked at. */
  checkState(onRule: (name: string) => void): Promise<StateReport>;
  /** Backs the embedded state up into a new file of a folder, also while a service runs. Settings must name no database. */
  backUp(folder: string, onProgress: WholeProgress): Promise<MadeBackup>;
  /** Replaces the embedded state by such a file, while no service runs. `replaces`: an existing state is moved aside. */
  restore(from: string, replaces: boolean, onProgress: WholeProgress): Promise<RestoredState>;
  /** Looks at all that a service depends on. `onCheck` is told what is looked at. */
  examine(onCheck: (name: string) => void): Promise<readonly Diagnosis[]>;
  /** The OpenAPI document. */
  apiDocument(): Promise<object>;
  /** Speaks the Model Context Protocol over stdin and stdout until stdin ends; `callTool` does a tool's work. */
  serveMcp(callTool: CallToolOverHttp): Promise<void>;
}

/** Does what a tool of the Model Context Protocol does. Told of tools that there are only. */
export type CallToolOverHttp = (
  name: string,
  given: Readonly<Record<string, unknown>>,
) => Promise<ToolAnswer>;

/** What a tool came to: the text of a JSON object or an error, and what to tell beside it. */
export type ToolAnswer = (
  | { readonly text: string }
  | {
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly retryAfterSeconds?: number;
      };
    }
) & { readonly meta: Readonly<Record<string, string | number>> };

/** How one thing is that a service depends on. */
export interface Diagnosis {
  readonly check: string;
  /** A warning does not keep the service from working; a problem does, or will. */
  readonly condition: "good" | "warning" | "problem";
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export interface MadeBackup {
  readonly path: string;
  /** The moment that it holds, ISO 8601 UTC. */
  readonly at: string;
  readonly bytes: number;
  readonly report: StateReport;
  /** The copy of the key of two-factor sign-in, where DATA_DIR has one. */
  readonly keyPath?: string;
}

export interface RestoredState {
  readonly from: string;
  /** The moment that it holds; absent when nothing says so. */
  readonly at?: string;
  readonly report: StateReport;
  /** Where what stood there is now. */
  readonly aside: readonly string[];
  readonly hasKey: boolean;
}

/** Is told how far the copy is, and what is being checked. */
export interface WholeProgress {
  onCopied(done: number, all: number): void;
  onChecking(rule: string): void;
}

/** What the state holds of companies: what a live registry told, and which must be forgotten. */
export interface RegistryState {
  readonly live: LiveStore;
  readonly suppressed: SuppressionStore;
  readonly kept: KeptStore;
}

/** The live source and its stored answers. */
export interface LiveParts {
  readonly source: LiveSource;
  readonly store: LiveStore;
  /** Its paid calls. */
  readonly calls: Pick<LimitedCalls, "made" | "isOver">;
}

/** Whether a state agrees with itself. */
export interface StateReport {
  /** What must not be, with a few examples by ids. */
  readonly findings: readonly {
    readonly rule: string;
    readonly count: number;
    readonly examples: readonly string[];
    /** What it means, and what to do. */
    readonly meaning: string;
  }[];
  /** What puts itself right. */
  readonly notes: readonly string[];
  /** Why most commands refuse the state, where an older version wrote it. */
  readonly pending?: string;
  readonly rules: number;
  readonly accounts: number;
  readonly keys: number;
  /** Of the accounts, by tier. */
  readonly tiers: readonly { readonly tierName: string; readonly accounts: number }[];
  /** The names of the keys that secrets of two-factor sign-in are sealed under. */
  readonly sealedUnder: readonly string[];
}

/** What a whole state consists of. */
export interface StateSummary {
  readonly rows: number;
  /** Of its export, in hex. */
  readonly sha256: string;
}

/** Adds one command (with its subcommands) to the program. Each file of this folder exports one. */
export type AddCommand<Context extends CliContext = CliContext> = (
  program: Command,
  context: Context,
) => void;

/** The command could not be carried out: exit code 1. The message says what to do. */
export class CommandFailure extends OperatorError {
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
