import { resolve } from "node:path";
import { type AddCommand, CommandFailure, type ServiceContext, type WholeProgress } from "./command.ts";
import { localPath } from "./localPath.ts";
import { progressLine, statusLine } from "./progress.ts";
import { reportLines } from "./state.ts";

/** PostgreSQL's own programs; docs/operations.md has the steps in full, and a test takes them. */
const ON_POSTGRES = [
  "The state is on PostgreSQL, which is backed up by its own programs (docs/operations.md, Backup and restore):",
  '  one moment:      pg_dump --format=custom --file=opzoek.dump "$DATABASE_URL"',
  "  every moment:    archive_mode = on and archive_command = 'test ! -f /srv/wal/%f && cp %p /srv/wal/%f', and each night",
  "                   pg_basebackup --pgdata=/srv/base --checkpoint=fast",
  "  back to one:     the base backup in place with recovery.signal, restore_command = 'cp /srv/wal/%f %p' and",
  "                   recovery_target_time = '2026-05-05 12:00:00+00', then opzoek state check",
] as const;

/** `opzoek backup`: copies the embedded state while a service runs, and checks the copy. */
export const addBackupCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("backup")
    .description("copy the embedded state into a new, checked file in a folder; also while the service runs")
    .argument("<folder>", "where backups are kept, best on another disk", localPath)
    .option("--json", "print one JSON document")
    .action(async (folder: string, { json }: { json?: boolean }) => {
      refuseDatabase(context);
      const made = await showing(context, (progress) => context.backUp(resolve(folder), progress));
      if (json === true) context.out(JSON.stringify(made));
      else {
        context.out(made.path);
        context.err(
          `${made.bytes.toLocaleString("en")} bytes: every charge that was answered until ${made.at}`,
        );
        if (made.keyPath !== undefined) context.err(`with it: ${made.keyPath}`);
      }
      if (made.report.findings.length > 0) {
        for (const line of reportLines(made.report)) context.err(line);
        throw new CommandFailure(
          "the backup is kept, but what it holds does not agree with itself: see above",
        );
      }
    });
};

/** `opzoek restore`: replaces the embedded state by such a backup. */
export const addRestoreCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("restore")
    .description("check a backup and put it in place of the embedded state; stop the service first")
    .argument("<backup>", "a file that `opzoek backup` made", localPath)
    .option("--replace", "move an existing state aside")
    .option("--json", "print one JSON document")
    .action(async (from: string, { replace = false, json }: { replace?: boolean; json?: boolean }) => {
      refuseDatabase(context);
      const restored = await showing(context, (progress) =>
        context.restore(resolve(from), replace, progress),
      );
      if (json === true) return context.out(JSON.stringify(restored));
      context.out(restored.from);
      for (const path of restored.aside) context.err(`put aside: ${path}`);
      for (const line of reportLines(restored.report)) context.err(line);
      context.err(
        restored.at === undefined
          ? "The name does not say which moment it holds: `opzoek usage` shows the last days of an account."
          : `It holds every charge that was answered until ${restored.at}; what was spent since is forgotten.`,
      );
      context.err(
        "Keys made since then do not work, and keys revoked since then work again: revoke them again.",
      );
    });
};

function refuseDatabase(context: ServiceContext): void {
  if (context.settings().DATABASE_URL === undefined) return;
  for (const line of ON_POSTGRES) context.err(line);
  throw new CommandFailure("nothing was done: DATABASE_URL names a database");
}

/** Shows the progress of the copy and of its check on stderr. */
async function showing<T>(
  context: ServiceContext,
  work: (progress: WholeProgress) => Promise<T>,
): Promise<T> {
  const line = statusLine(context);
  try {
    return await work({
      onCopied: (done, all) => line.show((elapsedMs) => progressLine("pages", done, all, elapsedMs)),
      onChecking: (rule) => line.show(() => `checking  ${rule}`),
    });
  } finally {
    line.end();
  }
}
