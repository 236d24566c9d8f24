import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";
import { writeLines } from "./output.ts";
import { showProgress } from "./progress.ts";

const EMBEDDED = "embedded";

/** `opzoek state`: a whole state, moved to another store or written out. */
export const addStateCommand: AddCommand<ServiceContext> = (program, context) => {
  const state = program
    .command("state")
    .description("move the whole state to another store, or write it out");
  state
    .command("move")
    .description("copy accounts, keys, limits, ledger and verdicts to an empty state; stop the service first")
    .requiredOption("--to <place>", "postgres://…, or `embedded` for the one in DATA_DIR")
    .option("--json", "print one JSON document")
    .action(async ({ to, json }: { to: string; json?: boolean }) => {
      checkPlace(to, context.settings().DATABASE_URL);
      const progress = showProgress(context, "rows");
      const moved = await context.moveState(to, progress.update).finally(progress.end);
      if (json) return context.out(JSON.stringify(moved));
      context.out(
        `${moved.rows.toLocaleString("en")} rows moved, equal to the byte: SHA-256 ${moved.sha256}`,
      );
      context.err(
        to === EMBEDDED
          ? "Unset DATABASE_URL and start the service. The database is left as it was: what is charged there from now on is missing here."
          : "Set DATABASE_URL to this address and start the service. The state in DATA_DIR is left as it was: what is charged there from now on is missing here.",
      );
    });
  state
    .command("export")
    .description("write the state as JSON lines, the same on every store; stop the service first")
    .option("--out <file>", "write to this file instead of stdout")
    .action(async ({ out }: { out?: string }) => {
      const progress = showProgress(context, "rows");
      await writeLines(context.exportState(), out, progress.update).finally(progress.end);
    });
};

function checkPlace(to: string, databaseUrl: string | undefined): void {
  if (to !== EMBEDDED && !/^postgres(ql)?:\/\//.test(to)) {
    throw new WrongUse(`--to must be ${EMBEDDED} or an address that begins with postgres://`);
  }
  if (to === (databaseUrl ?? EMBEDDED)) {
    throw new WrongUse("--to must be another place than the state that the settings name: see DATABASE_URL");
  }
}
