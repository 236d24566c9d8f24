import { Command, CommanderError } from "commander";
import { releaseLine } from "../app/release.ts";
import { AlreadyExplained, OperatorError } from "../lib/operatorError.ts";
import type { AddCommand, CliContext } from "./command.ts";

const DONE = 0;
const FAILED = 1;
const WRONG_USE = 2;

/**
 * Every command by its first word, in the order of the help. A module is imported when its command is called: importing
 * all of them takes most of a second of processor time.
 */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  demo: async () => (await import("./demo.ts")).addDemoCommand,
  serve: async () => (await import("./serve.ts")).addServeCommand,
  import: async () => (await import("./import.ts")).addImportCommand,
  export: async () => (await import("./export.ts")).addExportCommand,
  generate: async () => (await import("./export.ts")).addGenerateCommand,
  registry: async () => (await import("./registry.ts")).addRegistryCommand,
  refresh: async () => (await import("./refresh.ts")).addRefreshCommand,
  forget: async () => (await import("./forget.ts")).addForgetCommand,
  account: async () => (await import("./account.ts")).addAccountCommand,
  key: async () => (await import("./key.ts")).addKeyCommand,
  usage: async () => (await import("./usage.ts")).addUsageCommand,
  state: async () => (await import("./state.ts")).addStateCommand,
  doctor: async () => (await import("./doctor.ts")).addDoctorCommand,
  backup: async () => (await import("./state.ts")).addBackupCommand,
  restore: async () => (await import("./state.ts")).addRestoreCommand,
  lookup: async () => (await import("./search.ts")).addLookupCommand,
  branches: async () => (await import("./search.ts")).addBranchesCommand,
  batch: async () => (await import("./batch.ts")).addBatchCommand,
  match: async () => (await import("./match.ts")).addMatchCommand,
  jobs: async () => (await import("./jobs.ts")).addJobsCommand,
  monitor: async () => (await import("./monitors.ts")).addMonitorCommand,
  changes: async () => (await import("./monitors.ts")).addChangesCommand,
  search: async () => (await import("./search.ts")).addSearchCommand,
  autocomplete: async () => (await import("./search.ts")).addAutocompleteCommand,
  vat: async () => (await import("./vat.ts")).addVatCommand,
  api: async () => (await import("./api.ts")).addApiCommand,
  mcp: async () => (await import("./mcp.ts")).addMcpCommand,
  simulate: async () => (await import("./simulate.ts")).addSimulateCommand,
  openapi: async () => (await import("./serve.ts")).addOpenapiCommand,
};

const VERSION = "--version";

/** The commands to load: the called one; otherwise all, for help and for suggestions on a mistyped word. */
function neededBy([first]: readonly string[]): readonly string[] {
  if (first === VERSION) return [];
  return first !== undefined && Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
}

/** The program with the commands that these words need; all if there are no words. */
export async function buildProgram(context: CliContext, words: readonly string[] = []): Promise<Command> {
  const program = new Command("opzoek")
    .description("the Dutch company registry as a service that anyone can run")
    .version(
      words[0] === VERSION ? await releaseLine() : "",
      VERSION,
      "print the versions of the program, Node.js and the data formats",
    )
    .addHelpText(
      "after",
      '\nSettings come from the environment: "opzoek serve --help" shows the most important ones.',
    )
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("Use --help for usage.")
    .configureOutput({
      writeOut: (text) => context.out(text.trimEnd()),
      writeErr: (text) => context.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, "opzoek: ")),
    });
  for (const name of neededBy(words)) (await COMMANDS[name]?.())?.(program, context);
  return program;
}

/** Runs one command. @returns the exit code: 0 success, 1 failure, 2 wrong usage */
export async function runCli(words: readonly string[], context: CliContext): Promise<number> {
  try {
    const program = await buildProgram(context, words);
    await program.parseAsync([...words], { from: "user" });
    return DONE;
  } catch (error) {
    return report(error, context);
  }
}

async function report(error: unknown, context: CliContext): Promise<number> {
  // Commander has already written its message; asking for help is not a failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USE;
  if (error instanceof AlreadyExplained) return error.exitCode;
  const failure = error instanceof OperatorError ? error : (await import("./failures.ts")).failureOf(error);
  context.err(`opzoek: ${failure?.message ?? (error instanceof Error ? error.stack : String(error))}`);
  return failure?.exitCode ?? FAILED;
}
