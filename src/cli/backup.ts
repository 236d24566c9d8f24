import { resolve } from "node:path";
import { type AddCommand, type CliContext, CommandFailure, type CopyProgress } from "./command.ts";
import { JSON_OPTION, type JsonOption, localPath } from "./options.ts";
import { print } from "./output.ts";
import { withProgress } from "./progress.ts";
import { reportLines } from "./state.ts";

/** `opzoek backup`: copies the embedded state while a service runs, and checks the copy. */
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

/** `opzoek restore`: replaces the embedded state by such a backup. */
export const addRestoreCommand: AddCommand = (program, context) => {
  program
    .command("restore")
    .description("check a backup and put it in place of the embedded state; stop the service first")
    .argument("<backup>", "a file that `opzoek backup` made", localPath)
    .option("--replace", "move an existing state aside")
    .option(...JSON_OPTION)
    .action(async (from: string, options: JsonOption & { replace?: boolean }) => {
      refuseDatabase(context);
      const restored = await withCopyProgress(context, (progress) =>
        context.restore(resolve(from), options.replace === true, progress),
      );
      print(context, options, restored, () => [restored.from]);
      if (options.json) return;
      const notes = [
        ...restored.aside.map((path) => `put aside: ${path}`),
        ...reportLines(restored.report),
        restored.at === undefined
          ? "The name does not say which moment it holds: `opzoek usage` shows the last days of an account."
          : `It holds every acknowledged charge until ${restored.at}; what was spent since is forgotten.`,
        "Keys made since then do not work, and keys revoked since then work again: revoke them again.",
      ];
      for (const note of notes) context.err(note);
    });
};

function refuseDatabase(context: CliContext): void {
  if (context.settings().DATABASE_URL === undefined) return;
  throw new CommandFailure(
    "nothing was done: DATABASE_URL names a database, which is backed up and restored by PostgreSQL's own programs (pg_dump, pg_basebackup); docs/operations.md, Backup and restore, has the steps",
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
