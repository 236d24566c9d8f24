import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { locationOf, openRows, upgradeState, withRows } from "../app/compose/state.ts";
import type { Settings } from "../app/settings/settings.ts";
import type { StateReport } from "../database/consistency/checkState.ts";
import type { Summary } from "../database/transfer/exportLines.ts";
import { type AddCommand, type CliContext, CommandFailure, UsageError } from "./command.ts";
import { settingsForReading, settingsForWriting } from "./opening.ts";
import { JSON_OPTION, type JsonOption, localPathArgument } from "./options.ts";
import { addPrinting, print, unreadable, writeLines } from "./output.ts";
import { withProgress } from "./progress.ts";

const EMBEDDED = "embedded";

export const addStateCommand: AddCommand = (program, context) => {
  /** Runs work that reports rows. */
  const reportingRows = <T>(work: (onRows: (done: number) => void) => Promise<T>): Promise<T> =>
    withProgress(context, (progress) => work((done) => progress.update({ stage: "rows", done })));

  const state = program.command("state").description("upgrade, move, export, import or check the state");
  const check = state
    .command("check")
    .description(
      "check that the ledger matches usage and that reservations, keys and accounts are consistent; changes nothing and works while the service is running; exit code 1 if something is wrong",
    );
  addPrinting(check, context, async () => {
    const { checkState } = await import("../database/consistency/checkState.ts");
    const report = await withProgress(context, (progress) =>
      checkState(locationOf(settingsForReading(context)), {
        onRule: (rule) => progress.say(() => `checking  ${rule}`),
      }),
    );
    const failure = "the state is inconsistent: see the findings";
    const isSound = report.findings.length === 0;
    return { document: report, lines: () => reportLines(report), failure: isSound ? undefined : failure };
  });
  state
    .command("migrate")
    .description(
      "upgrade the state to this version, as the next start would; cannot be undone, so make a backup first",
    )
    .action(async () => {
      const upgrade = await upgradeState(settingsForReading(context));
      context.out(
        upgrade === undefined
          ? "The state is up to date."
          : `The state was upgraded from ${upgrade.from} to ${upgrade.to}.`,
      );
    });
  const move = state
    .command("move")
    .description("copy the whole state to an empty one and verify the copy; stop the service first")
    .requiredOption("--to <place>", "postgres://…, or `embedded` for the state in DATA_DIR", placeOf);
  addPrinting(move, context, async ({ to }: { readonly to: string }) => {
    if (to === (context.settings().DATABASE_URL ?? EMBEDDED)) {
      throw new UsageError("--to must not be the current state: see DATABASE_URL");
    }
    const moved = await reportingRows((onRows) => moveTo(context, to, onRows));
    const line = `${moved.rows.toLocaleString("en")} rows copied and verified: SHA-256 ${moved.sha256}`;
    const [next, old] =
      to === EMBEDDED
        ? ["Unset DATABASE_URL", "The database"]
        : ["Set DATABASE_URL to this address", "The state in DATA_DIR"];
    const hint = `${next} and start the service. ${old} was not changed; charges made there from now on are missing in the copy.`;
    return { document: moved, lines: () => [line], hints: [hint] };
  });
  state
    .command("export")
    .description(
      "export the state as JSON lines, in the same format for every store; works while the service is running",
    )
    .option("--out <file>", "write to this file instead of stdout", localPathArgument)
    .action(({ out }: { out?: string }) =>
      reportingRows((onRows) => writeLines(exported(context.settings()), out, onRows)),
    );
  const restoreFrom = state
    .command("import")
    .description("import an export into an empty state; stop the service first")
    .argument("<file>", "a file written by `opzoek state export`");
  addPrinting(restoreFrom, context, async (file: string) => {
    const { importLines } = await import("../database/transfer/importLines.ts");
    const imported = await reportingRows((onRows) =>
      withRows(settingsForWriting(context), (state) => importLines(linesOf(file), state, onRows), {
        mayBeNew: true,
      }),
    );
    const line = `${imported.rows.toLocaleString("en")} rows imported: SHA-256 ${imported.sha256}`;
    return { document: imported, lines: () => [line] };
  });
};

export const addBackupCommand: AddCommand = (program, context) => {
  program
    .command("backup")
    .description(
      "back up the embedded state to a new, verified file in a folder; works while the service is running",
    )
    .argument("<folder>", "folder for backups, preferably on another disk", localPathArgument)
    .option(...JSON_OPTION)
    .action(async (folder: string, options: JsonOption) => {
      refuseDatabase(context);
      const made = await withCopyProgress(context, async (progress) => {
        const { DATA_DIR: dataDir } = settingsForReading(context);
        const { backupState } = await import("../database/backup/backupState.ts");
        const { sealKeyPath } = await import("../app/compose/sealKeys.ts");
        return backupState({ ...progress, folder: resolve(folder), dataDir, keyFile: sealKeyPath(dataDir) });
      });
      print(context, options, made, () => [made.path]);
      if (!options.json) {
        context.err(`${made.bytes.toLocaleString("en")} bytes: every acknowledged charge until ${made.at}`);
        if (made.keyPath !== undefined) context.err(`with its key: ${made.keyPath}`);
      }
      if (made.report.findings.length === 0) return;
      for (const line of reportLines(made.report)) context.err(line);
      throw new CommandFailure("the backup was written, but its content is inconsistent: see above");
    });
};

export const addRestoreCommand: AddCommand = (program, context) => {
  const command = program
    .command("restore")
    .description("verify a backup and replace the embedded state with it; stop the service first")
    .argument("<backup>", "a file written by `opzoek backup`", localPathArgument)
    .option("--replace", "move an existing state aside");
  addPrinting(
    command,
    context,
    async (backup: string, { replace = false }: { readonly replace?: boolean }) => {
      refuseDatabase(context);
      const restored = await withCopyProgress(context, async (progress) => {
        const { DATA_DIR: dataDir } = settingsForWriting(context);
        const { restoreState } = await import("../database/backup/restoreState.ts");
        const { sealKeyPath } = await import("../app/compose/sealKeys.ts");
        const keyFile = sealKeyPath(dataDir);
        return restoreState({ ...progress, from: resolve(backup), replaces: replace, dataDir, keyFile });
      });
      const { from, at, aside, report } = restored;
      const hints = [
        ...aside.map((path) => `moved aside: ${path}`),
        ...reportLines(report),
        at === undefined
          ? "The file name has no time: use `opzoek usage` to see the last days of an account."
          : `It contains every acknowledged charge until ${at}; later charges are lost.`,
        "Keys created since then do not work, and keys revoked since then work again: revoke them again.",
        "Companies forgotten since then are stored again: repeat opzoek forget for each, before you start the service.",
        "Insolvencies that the courts have removed since then are stored again: with CIR_USER set, run opzoek import insolvencies before you start the service.",
      ];
      return { document: restored, lines: () => [from], hints };
    },
  );
};

function refuseDatabase(context: CliContext): void {
  if (context.settings().DATABASE_URL === undefined) return;
  throw new CommandFailure(
    "DATABASE_URL is set, so nothing was done: back up and restore with PostgreSQL's own tools (pg_dump, pg_basebackup); see PostgreSQL in docs/backup-and-upgrade.md",
  );
}

/** Copies the state to an empty one, which may be `embedded`, and leaves the original unchanged. */
async function moveTo(context: CliContext, to: string, onRows: (rows: number) => void): Promise<Summary> {
  const { moveState } = await import("../database/transfer/importLines.ts");
  const from = settingsForWriting(context);
  // Validated like the setting: a misspelt parameter in the address must not send the rows unencrypted.
  const url = to === EMBEDDED ? undefined : context.settings({ DATABASE_URL: to }).DATABASE_URL;
  return withRows(from, (source) =>
    withRows({ ...from, DATABASE_URL: url }, (copy) => moveState(source, copy, onRows), { mayBeNew: true }),
  );
}

/** The state at one moment, line by line. */
async function* exported(settings: Settings): AsyncGenerator<string> {
  const { exportStateLines } = await import("../database/transfer/exportLines.ts");
  const state = await openRows(settings, { access: "shared" });
  try {
    yield* exportStateLines(state);
  } finally {
    await state.close();
  }
}

/** The progress of a copy and of its verification. */
interface CopyProgress {
  onCopied(done: number, all: number): void;
  onChecking(rule: string): void;
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
    findings.length === 0 ? `The state is consistent: ${counts}.` : counts,
  ];
}

/** The error does not contain the address, which may have a password. */
function placeOf(to: string): string {
  if (to === EMBEDDED || /^postgres(ql)?:\/\//.test(to)) return to;
  throw new UsageError(`--to must be ${EMBEDDED}, or begin with postgres://`);
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
    throw unreadable(file, error, "check its name and permissions");
  }
  if (rest !== "") yield rest;
}
