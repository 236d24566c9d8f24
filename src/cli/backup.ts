import { resolve } from "node:path";
import {
  type AddCommand,
  CommandFailure,
  type ServiceContext,
  type WholeProgress,
  WrongUse,
} from "./command.ts";
import { progressLine, statusLine } from "./progress.ts";
import { reportLines } from "./state.ts";

/** What PostgreSQL's own programs do; docs/operations.md has the steps in full, and a test takes them. */
const ON_POSTGRES = [
  "The state is on PostgreSQL, which is backed up by its own means (docs/operations.md, Backup and restore):",
  '  one moment:      pg_dump --format=custom --file=opzoek.dump "$DATABASE_URL"',
  "  every moment:    archive_mode = on and archive_command = 'test ! -f /srv/wal/%f && cp %p /srv/wal/%f', and each night",
  "                   pg_basebackup --pgdata=/srv/base --checkpoint=fast",
  "  back to one:     the base backup in place with recovery.signal, restore_command = 'cp /srv/wal/%f %p' and",
  "                   recovery_target_time = '2026-05-05 12:00:00+00', then opzoek state check",
] as const;

interface BackupFlags {
  readonly keep?: string;
  readonly keepDays?: string;
  readonly registry?: boolean;
  /** `--no-key` */
  readonly key: boolean;
  readonly anew?: boolean;
  readonly json?: boolean;
}

/** `opzoek backup`: the embedded state, copied beside a running service, checked, and kept. */
export const addBackupCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("backup")
    .description("copy the embedded state into a new file of a folder, checked; the service may run")
    .argument("<folder>", "where backups are kept, best on another disk", notEmpty)
    .option("--keep <number>", "delete older ones than so many of the newest")
    .option("--keep-days <number>", "delete those that are older than so many days")
    .option("--registry", "the registry's files too, by hard links where that can be")
    .option("--no-key", "leave out the key of two-factor sign-in")
    .option("--anew", "although the backups that were made there before are gone")
    .option("--json", "print one JSON document")
    .action(async (folder: string, flags: BackupFlags) => {
      const keep = countIn("--keep", flags.keep);
      const keepDays = countIn("--keep-days", flags.keepDays);
      refuseDatabase(context);
      const asked = {
        folder: resolve(folder),
        ...(keep !== undefined && { keep }),
        ...(keepDays !== undefined && { keepDays }),
        hasRegistry: flags.registry === true,
        isWithoutKey: !flags.key,
        isAnew: flags.anew === true,
      };
      const made = await showing(context, (progress) => context.backUp(asked, progress));
      if (flags.json === true) context.out(JSON.stringify(made));
      else {
        context.out(made.path);
        context.err(
          `${made.bytes.toLocaleString("en")} bytes: every charge that was answered until ${made.at}`,
        );
        for (const name of made.beside) context.err(`beside it: ${name}`);
        for (const name of made.deleted) context.err(`deleted: ${name}`);
        if (!made.isNoted) context.err("DATA_DIR cannot be written, so its age is not told: make room there");
      }
      if (made.report.findings.length > 0) {
        for (const line of reportLines(made.report)) context.err(line);
        throw new CommandFailure(
          "the backup is kept, and what it holds does not agree with itself: see above",
        );
      }
      if (made.noRegistry !== undefined) {
        throw new CommandFailure(
          `the backup is made, but without the registry (${made.noRegistry}): put that right and make another, or leave out --registry`,
        );
      }
      if (made.notDeleted.length > 0) {
        throw new CommandFailure(
          `the backup is made, but older ones could not be deleted: ${made.notDeleted.join(", ")}; delete them by hand, or give them to this user`,
        );
      }
    });
};

interface RestoreFlags {
  readonly replace?: boolean;
  readonly registry?: boolean;
  readonly json?: boolean;
}

/** `opzoek restore`: such a backup, put in the place of the embedded state. */
export const addRestoreCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("restore")
    .description("put a backup in the place of the embedded state, checked; stop the service first")
    .argument(
      "<backup>",
      "a file that `opzoek backup` made, or a folder: the newest sound one of this DATA_DIR",
      notEmpty,
    )
    .option("--replace", "put the state that is there aside")
    .option("--registry", "the registry that was backed up with it too, where there is none")
    .option("--json", "print one JSON document")
    .action(async (from: string, { replace = false, registry = false, json }: RestoreFlags) => {
      refuseDatabase(context);
      const asked = { from: resolve(from), replaces: replace, hasRegistry: registry };
      const restored = await showing(context, (progress) => context.restore(asked, progress));
      if (json === true) return context.out(JSON.stringify(restored));
      context.out(restored.from);
      for (const path of restored.aside) context.err(`put aside: ${path}`);
      for (const remark of restored.remarks) context.err(remark);
      for (const line of reportLines(restored.report)) context.err(line);
      context.err(
        restored.at === undefined
          ? "Nothing beside the file says which moment it holds: `opzoek usage` tells the last days of an account."
          : `It holds every charge that was answered until ${restored.at}; what was spent since is forgotten.`,
      );
      context.err(
        "Keys made since then do not work, and keys revoked since then work again: revoke them anew.",
      );
    });
};

function refuseDatabase(context: ServiceContext): void {
  if (context.settings().DATABASE_URL === undefined) return;
  for (const line of ON_POSTGRES) context.err(line);
  throw new CommandFailure("nothing was done: DATABASE_URL names a database");
}

/** An empty name, as of a variable that is not set, would be the folder that the command is run in. */
function notEmpty(path: string): string {
  if (path === "") throw new WrongUse("the folder or file has no name: is the variable set that holds it?");
  return path;
}

function countIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new WrongUse(`${option} must be a whole number from 1 on`);
  return Number(text);
}

/** Shows on stderr how far the copy is, and what is being checked. */
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
