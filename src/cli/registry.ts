import { basename, join } from "node:path";
import { DamagedSnapshot } from "../registry/damaged.ts";
import { readPointer } from "../registry/directory.ts";
import { type LayerInfo, layersOf, type SnapshotInfo } from "../registry/info.ts";
import { verifyNames } from "../registry/names/namesFile.ts";
import { rebuildNames } from "../registry/names/namesThread.ts";
import { namesPathOf } from "../registry/names/storedNames.ts";
import { openSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/places.ts";
import { rebuild } from "../registry/rebuild.ts";
import { rollback } from "../registry/rollback.ts";
import { verifyAnew } from "../registry/verified.ts";
import { type AddCommand, type CliContext, CommandFailure } from "./command.ts";
import { addPublishedCommands } from "./published.ts";
import { StageProgress } from "./stageProgress.ts";
import { asFailure, failing, noRegistry, refuseCopy } from "./withSnapshot.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface ListedSnapshot extends SnapshotInfo {
  readonly state: "current" | "previous";
  /** Why it cannot be used; absent when it can, as far as that shows without reading it as a whole. */
  readonly problem?: string;
}

/** `opzoek registry`: which snapshots there are; rolling back, rebuilding, verifying, publishing and fetching them. */
export const addRegistryCommand: AddCommand = (program, context) => {
  const command = program
    .command("registry")
    .description("list the snapshots of the registry: companies, branches, origins, age")
    .option("--json", "print one JSON document")
    .action((options: { json?: boolean }) => list(context, options.json === true));
  command
    .command("rollback")
    .description("serve the previous snapshot again; a second rollback returns to the newer one")
    .action(() => goBack(context));
  command
    .command("rebuild")
    .description(
      "write the registry into one file without forgotten companies, and delete the previous snapshot if it holds one",
    )
    .action(() => rebuildWithout(context));
  command
    .command("verify")
    .description(
      "read the snapshots and their indexes of names in full and check them; a damaged index is rebuilt",
    )
    .action(() => verify(context));
  addPublishedCommands(command, context);
};

function list(context: CliContext, asJson: boolean): void {
  const directory = registryDirectory(context.settings().DATA_DIR);
  const snapshots = failing(() => listSnapshots(directory));
  if (asJson) context.out(JSON.stringify({ directory, snapshots }));
  else if (snapshots.length === 0) context.err(noRegistry(directory));
  else for (const line of snapshots.flatMap(describe)) context.out(line);
}

function listSnapshots(directory: string): ListedSnapshot[] {
  const pointer = readPointer(directory);
  const states = ["current", "previous"] as const;
  return states.flatMap((state) => {
    const info = pointer?.[state];
    if (info === undefined) return [];
    const problem = problemOf(directory, info);
    return [problem === undefined ? { state, ...info } : { state, ...info, problem }];
  });
}

function problemOf(directory: string, info: SnapshotInfo): string | undefined {
  try {
    openSnapshot(directory, info).close();
    return undefined;
  } catch (error) {
    if (error instanceof DamagedSnapshot) return error.message;
    throw error;
  }
}

function describe(snapshot: ListedSnapshot): string[] {
  const { state, file, companies, branches, bytes, createdAt, origins, problem } = snapshot;
  const size = `${count(companies, "company", "companies")}, ${count(branches, "branch", "branches")}, ${megabytes(bytes)}`;
  return [
    `${state.padEnd(8)}  ${file}  ${size}, built ${createdAt} (${age(createdAt)})`,
    ...origins.map(
      ({ origin, companies, asOf }) =>
        `          ${origin}: ${count(companies, "company", "companies")}, data of ${asOf.slice(0, 10)} (${age(asOf)})`,
    ),
    ...(snapshot.layers ?? []).map(describeLayer),
    ...(problem === undefined ? [] : [`          ${problem}`]),
  ];
}

/** One file of a snapshot that has several. */
function describeLayer({ file, companies, bytes, createdAt }: LayerInfo, place: number): string {
  const size = `${count(companies, "company", "companies")}, ${megabytes(bytes)}`;
  return `          ${place === 0 ? "base   " : "segment"}  ${file}  ${size}, built ${createdAt}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function goBack(context: CliContext): Promise<void> {
  const directory = registryDirectory(context.settings().DATA_DIR);
  try {
    const info = await rollback(directory);
    context.out(`${info.file} is current now: ${count(info.companies, "company", "companies")}.`);
  } catch (error) {
    throw asFailure(error);
  }
}

async function rebuildWithout(context: CliContext): Promise<void> {
  const settings = context.settings();
  refuseCopy(settings, "rebuild it where it is published, then publish it");
  const directory = registryDirectory(settings.DATA_DIR);
  context.keepTemporaryFiles(settings.DATA_DIR);
  const omit = await context.suppressed();
  const progress = new StageProgress(context);
  const rebuilt = await rebuild(directory, {
    omit,
    onProgress: (work) => progress.update({ ...work, unit: "companies" }),
  })
    .catch((error: unknown) => {
      throw asFailure(error);
    })
    .finally(() => progress.end());
  if (rebuilt === undefined) throw new CommandFailure(noRegistry(directory));
  const { snapshot, removed, isNew } = rebuilt;
  const companies = count(snapshot.companies, "company", "companies");
  context.out(
    isNew
      ? `${snapshot.file} is current now: ${companies}, ${removed.toLocaleString("en")} removed.`
      : `${snapshot.file} stays: it is one file and holds no forgotten company.`,
  );
}

/** Reads every snapshot to its end. @throws {CommandFailure} when one is damaged, after all were read */
async function verify(context: CliContext): Promise<void> {
  const directory = registryDirectory(context.settings().DATA_DIR);
  const snapshots = failing(() => listSnapshots(directory));
  if (snapshots.length === 0) throw new CommandFailure(noRegistry(directory));
  const problems: string[] = [];
  // A file that both snapshots have is read once.
  const files = new Map<string, { state: string; info: LayerInfo }>();
  for (const { state, problem: _, ...snapshot } of snapshots) {
    for (const info of layersOf(snapshot)) {
      if (!files.has(info.file)) files.set(info.file, { state, info });
    }
  }
  for (const { state, info } of files.values()) {
    const progress = new StageProgress(context);
    try {
      await verifyAnew(directory, info, (done) =>
        progress.update({ stage: `reading ${info.file}`, unit: "bytes", done, total: info.bytes }),
      );
      progress.end();
      context.out(`${state.padEnd(8)}  ${info.file}  is what was written`);
      await verifyIndex(context, directory, info, state);
    } catch (error) {
      progress.end();
      if (!(error instanceof DamagedSnapshot)) throw asFailure(error);
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new CommandFailure(problems.join("\n"));
}

/** Reads the index of names of a file to its end; one that cannot be used is built anew. @throws {CommandFailure} when it cannot be written */
async function verifyIndex(
  context: CliContext,
  directory: string,
  info: LayerInfo,
  state: string,
): Promise<void> {
  const place = { path: join(directory, info.file), info };
  const shown = `${state.padEnd(8)}  ${basename(namesPathOf(info.file))}`;
  const reason = await verifyNames(place.path, info.sha256);
  if (reason === undefined) return context.out(`${shown}  is what was written`);
  context.out(`${shown}  cannot be used: ${reason}. It is built anew.`);
  const progress = new StageProgress(context);
  await rebuildNames(place, (done) =>
    progress.update({ stage: "indexing", unit: "companies", done, total: info.companies }),
  );
  progress.end();
  if ((await verifyNames(place.path, info.sha256)) !== undefined) {
    throw new CommandFailure(
      `${namesPathOf(place.path)} cannot be written: check that you may write in ${directory} and that there is room.`,
    );
  }
  context.out(`${shown}  is built`);
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function age(isoTime: string): string {
  const days = Math.floor((Date.now() - Date.parse(isoTime)) / DAY_MS);
  return days < 1 ? "today" : `${count(days, "day", "days")} old`;
}
