import { Command, CommanderError } from "commander";
import { addAccountCommand } from "./account.ts";
import { CommandFailure, type ServiceContext, WrongUse } from "./command.ts";
import { addDemoCommand } from "./demo.ts";
import { addExportCommand } from "./export.ts";
import { addForgetCommand } from "./forget.ts";
import { addGenerateCommand } from "./generate.ts";
import { addImportCommand } from "./import.ts";
import { addKeyCommand } from "./key.ts";
import { addLookupCommand } from "./lookup.ts";
import { addOpenapiCommand } from "./openapi.ts";
import { addPeopleCommands } from "./people.ts";
import { addRefreshCommand } from "./refresh.ts";
import { addRegistryCommand } from "./registry.ts";
import { addSearchCommand } from "./search.ts";
import { addServeCommand } from "./serve.ts";
import { addSimulateCommand } from "./simulate.ts";
import { addStateCommand } from "./state.ts";
import { addUsageCommand } from "./usage.ts";
import { addVatCommand } from "./vat.ts";

const DONE = 0;
const FAILED = 1;
const WRONG_USE = 2;

/** Every command, ready to be run or described. */
export function buildProgram(context: ServiceContext): Command {
  const program = new Command("opzoek")
    .description("the Dutch company registry as a service that anyone can run")
    .version(context.version, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError("Add --help to see how it is used.")
    .configureOutput({
      writeOut: (text) => context.out(text.trimEnd()),
      writeErr: (text) => context.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, "opzoek: ")),
    });
  for (const add of [
    addDemoCommand,
    addServeCommand,
    addImportCommand,
    addExportCommand,
    addGenerateCommand,
    addRegistryCommand,
    addRefreshCommand,
    addForgetCommand,
    addAccountCommand,
    addPeopleCommands,
    addKeyCommand,
    addUsageCommand,
    addStateCommand,
    addLookupCommand,
    addSearchCommand,
    addVatCommand,
    addSimulateCommand,
    addOpenapiCommand,
  ]) {
    add(program, context);
  }
  return program;
}

/** Runs one command. @returns the exit code: 0 done, 1 failed, 2 wrong use */
export async function runCli(words: readonly string[], context: ServiceContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync([...words], { from: "user" });
    return DONE;
  } catch (error) {
    return explain(error, context);
  }
}

function explain(error: unknown, context: ServiceContext): number {
  // Commander has written its own lines by then; asking for help is no failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USE;
  if (error instanceof WrongUse) {
    context.err(`opzoek: ${error.message}`);
    return WRONG_USE;
  }
  const isTold = error instanceof CommandFailure || context.isForOperator(error);
  context.err(`opzoek: ${error instanceof Error ? (isTold ? error.message : error.stack) : String(error)}`);
  return FAILED;
}
