import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { StateReport } from "../storage/checking/checkState.ts";
import {
  type AddCommand,
  type CliContext,
  CommandFailure,
  type CopyProgress,
  UsageError,
} from "./command.ts";
import { JSON_OPTION, type JsonOption, localPath } from "./options.ts";
import { addPrinting, print, unreadable, writeLines } from "./output.ts";
import { withProgress } from "./progress.ts";

const EMBEDDED = "embedded";

export const addStateCommand: AddCommand = (program, context) => {
  /** Runs work that reports rows. */
  const withRows = <T>(work: (onRows: (done: number) => void) => Promise<T>): Promise<T> =>
    withProgress(context, (progress) => work((done) => progress.update({ stage: "rows", done })));

  const state = program.command("state").description("upgrade, move, export, import or check the state");
  const check = state
    .command("check")
    .description(
      "check that the ledger matches usage and that no reservation, key or account is inconsistent; changes nothing, also while the service runs; exit code 1 when something is wrong",
    );
  addPrinting(check, context, async () => {
    const report = await withProgress(context, (progress) =>
      context.checkState((rule) => progress.say(() => `checking  ${rule}`)),
    );
    const failure = "the state does not agree with itself: see what was found";
    const isSound = report.findings.length === 0;
    return { document: report, lines: () => reportLines(report), failure: isSound ? undefined : failure };
  });
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
  const move = state
    .command("move")
    .description("copy the whole state to an empty one and compare the two; stop the service first")
    .requiredOption("--to <place>", "postgres://…, or `embedded` for the one in DATA_DIR", placeOf);
  addPrinting(move, context, async ({ to }: { readonly to: string }) => {
    if (to === (context.settings().DATABASE_URL ?? EMBEDDED)) {
      throw new UsageError(
        "--to must be another place than the state that the settings name: see DATABASE_URL",
      );
    }
    const moved = await withRows((onRows) => context.moveState(to, onRows));
    const line = `${moved.rows.toLocaleString("en")} rows moved, equal to the byte: SHA-256 ${moved.sha256}`;
    const [next, old] =
      to === EMBEDDED
        ? ["Unset DATABASE_URL", "The database"]
        : ["Set DATABASE_URL to this address", "The state in DATA_DIR"];
    const hint = `${next} and start the service. ${old} is left as it was: later charges there are missing here.`;
    return { document: moved, lines: () => [line], hints: [hint] };
  });
  state
    .command("export")
    .description("write the state as JSON lines, identical for every store; also while the service runs")
    .option("--out <file>", "write to this file instead of stdout", localPath)
    .action(({ out }: { out?: string }) =>
      withRows((onRows) => writeLines(context.exportState(), out, onRows)),
    );
  const bringBack = state
    .command("import")
    .description("read an export back into an empty state; stop the service first")
    .argument("<file>", "what `opzoek state export` wrote");
  addPrinting(bringBack, context, async (file: string) => {
    const imported = await withRows((onRows) => context.importState(linesOf(file), onRows));
    const line = `${imported.rows.toLocaleString("en")} rows imported: SHA-256 ${imported.sha256}`;
    return { document: imported, lines: () => [line] };
  });
};

export const addBackupCommand: AddCommand = (program, context) => {
  program
    .command("backup")
    .description("copy the embedded state into a new, checked file in a folder; also while the service runs")
    .argument("<folder>", "where backups are kept, best on another disk", localPath)
    .option(...JSON_OPTION)
    .action(async (folder: string, options: JsonOption) => {
      refuseDatabase(context);
      const made = await withCopyProgress(context, (progress) => context.backUp(resolve(folder), progress));
      print(context, options, made, () => [made.path]);
      if (!options.json) {
        context.err(`${made.bytes.toLocaleString("en")} bytes: every acknowledged charge until ${made.at}`);
        if (made.keyPath !== undefined) context.err(`with it: ${made.keyPath}`);
      }
      if (made.report.findings.length === 0) return;
      for (const line of reportLines(made.report)) context.err(line);
      throw new CommandFailure("the backup is kept, but what it holds does not agree with itself: see above");
    });
};

export const addRestoreCommand: AddCommand = (program, context) => {
  const command = program
    .command("restore")
    .description("check a backup and put it in place of the embedded state; stop the service first")
    .argument("<backup>", "a file that `opzoek backup` made", localPath)
    .option("--replace", "move an existing state aside");
  addPrinting(
    command,
    context,
    async (backup: string, { replace = false }: { readonly replace?: boolean }) => {
      refuseDatabase(context);
      const restored = await withCopyProgress(context, (progress) =>
        context.restore(resolve(backup), replace, progress),
      );
      const { from, at, aside, report } = restored;
      const hints = [
        ...aside.map((path) => `put aside: ${path}`),
        ...reportLines(report),
        at === undefined
          ? "The name does not say which moment it holds: `opzoek usage` shows the last days of an account."
          : `It holds every acknowledged charge until ${at}; what was spent since is forgotten.`,
        "Keys made since then do not work, and keys revoked since then work again: revoke them again.",
      ];
      return { document: restored, lines: () => [from], hints };
    },
  );
};

function refuseDatabase(context: CliContext): void {
  if (context.settings().DATABASE_URL === undefined) return;
  throw new CommandFailure(
    "nothing was done: DATABASE_URL is set, so back up and restore with PostgreSQL's own tools (pg_dump, pg_basebackup); see PostgreSQL in docs/backup-and-upgrade.md",
  );
}

function withCopyProgress<T>(context: CliContext, work: (progress: CopyProgress) => Promise<T>): Promise<T> {
  return withProgress(context, (progress) =>
    work({
      onCopied: (done, total) => progress.update({ stage: "pages", done, total }),
      onChecking: (rule) => progress.say(() => `checking  ${rule}`),
    }),
  );
}

/** A report for a person. */
function reportLines(report: StateReport): readonly string[] {
  const { findings, notes, pending, rules, accounts, keys } = report;
  const counts = `${accounts.toLocaleString("en")} accounts, ${keys.toLocaleString("en")} keys, ${rules} rules`;
  return [
    ...findings.flatMap(({ rule, count, examples, meaning }) => [
      `${rule}: ${count.toLocaleString("en")} found: ${meaning}`,
      ...examples.map((example) => `  ${example}`),
    ]),
    ...notes,
    ...(pending === undefined ? [] : [pending]),
    findings.length === 0 ? `The state is sound: ${counts}.` : counts,
  ];
}

/** Not repeated in the error: it may hold a password. */
function placeOf(to: string): string {
  if (to === EMBEDDED || /^postgres(ql)?:\/\//.test(to)) return to;
  throw new UsageError(`--to must be ${EMBEDDED} or an address that begins with postgres://`);
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
    throw unreadable(file, error, "check its name and its rights");
  }
  if (rest !== "") yield rest;
}
