import { createReadStream } from "node:fs";
import type { Command } from "commander";
import {
  type AddCommand,
  CommandFailure,
  type ServiceContext,
  type StateReport,
  WrongUse,
} from "./command.ts";
import { localPath } from "./localPath.ts";
import { writeLines } from "./output.ts";
import { showProgress, statusLine } from "./progress.ts";

const EMBEDDED = "embedded";

/** `opzoek state`: a whole state, checked, upgraded, moved to another store, written out, or read back. */
export const addStateCommand: AddCommand<ServiceContext> = (program, context) => {
  const state = program.command("state").description("upgrade, move, export, import or check the state");
  addCheck(state, context);
  state
    .command("migrate")
    .description("bring the state to this version for good, as the next start would; make a backup first")
    .action(async () => {
      const upgrade = await context.upgradeState();
      context.out(
        upgrade === undefined
          ? "The state needs no change."
          : `The state was brought from ${upgrade.from} to ${upgrade.to}.`,
      );
    });
  state
    .command("move")
    .description("copy the whole state to an empty one and compare the two; stop the service first")
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
    .description("write the state as JSON lines, identical for every store; also while the service runs")
    .option("--out <file>", "write to this file instead of stdout", localPath)
    .action(async ({ out }: { out?: string }) => {
      const progress = showProgress(context, "rows");
      await writeLines(context.exportState(), out, progress.update).finally(progress.end);
    });
  state
    .command("import")
    .description("read an export back into an empty state; stop the service first")
    .argument("<file>", "what `opzoek state export` wrote")
    .option("--json", "print one JSON document")
    .action(async (file: string, { json }: { json?: boolean }) => {
      const progress = showProgress(context, "rows");
      const imported = await context.importState(linesOf(file), progress.update).finally(progress.end);
      if (json) return context.out(JSON.stringify(imported));
      context.out(`${imported.rows.toLocaleString("en")} rows imported: SHA-256 ${imported.sha256}`);
    });
};

function addCheck(state: Command, context: ServiceContext): void {
  state
    .command("check")
    .description(
      "check that the ledger matches usage and that no reservation, key or account is inconsistent; changes nothing, also while the service runs; exit code 1 when something is wrong",
    )
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const progress = statusLine(context);
      const report = await context
        .checkState((name) => progress.show(() => `checking  ${name}`))
        .finally(() => progress.end());
      if (json) context.out(JSON.stringify(report));
      else for (const line of reportLines(report)) context.out(line);
      if (report.findings.length > 0) {
        throw new CommandFailure("the state does not agree with itself: see what was found");
      }
    });
}

/** A report for a person. */
export function reportLines({
  findings,
  notes,
  pending,
  rules,
  accounts,
  keys,
}: StateReport): readonly string[] {
  const counts = `${accounts.toLocaleString("en")} accounts, ${keys.toLocaleString("en")} keys, ${rules} rules`;
  const found = findings.flatMap(({ rule, count, examples, meaning }) => [
    `${rule}: ${count.toLocaleString("en")} found: ${meaning}`,
    ...examples.map((example) => `  ${example}`),
  ]);
  const remarks = pending === undefined ? notes : [...notes, pending];
  return [...found, ...remarks, findings.length === 0 ? `The state is sound: ${counts}.` : counts];
}

function checkPlace(to: string, databaseUrl: string | undefined): void {
  if (to !== EMBEDDED && !/^postgres(ql)?:\/\//.test(to)) {
    throw new WrongUse(`--to must be ${EMBEDDED} or an address that begins with postgres://`);
  }
  if (to === (databaseUrl ?? EMBEDDED)) {
    throw new WrongUse("--to must be another place than the state that the settings name: see DATABASE_URL");
  }
}

/** The lines of a file, each with its line break; the last one as it is. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of createReadStream(file, "utf8")) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield `${line}\n`;
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandFailure(`${file} cannot be read (${code}): check its name and its rights`);
  }
  if (rest !== "") yield rest;
}
