import { basename, join } from "node:path";
import { known } from "../lib/values.ts";
import { readPointer } from "../registry/directory.ts";
import { DamagedSnapshot, RegistryRefusal } from "../registry/errors.ts";
import { type LayerInfo, layersOf, type SnapshotInfo } from "../registry/info.ts";
import { buildNames } from "../registry/names/buildNames.ts";
import { namesPathOf, verifyNames } from "../registry/names/storedNames.ts";
import { openSnapshot } from "../registry/openSnapshot.ts";
import { rebuild } from "../registry/rebuild.ts";
import { rollback } from "../registry/rollback.ts";
import { verifyAnew } from "../registry/verified.ts";
import { type AddCommand, type CliContext, CommandFailure } from "./command.ts";
import { suppressedNumbers } from "./opening.ts";
import { addPrinting, counted, megabytes } from "./output.ts";
import { withProgress } from "./progress.ts";
import { addPublishedCommands } from "./registryPublished.ts";
import { companiesOf, directoryOf, noRegistry, refuseCopy } from "./snapshot.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface ListedSnapshot extends SnapshotInfo {
  readonly state: "current" | "previous";
  /** The reason why it cannot be used, as far as that is known without reading it in full. */
  readonly problem?: string;
}

export const addRegistryCommand: AddCommand = (program, context) => {
  const command = program
    .command("registry")
    .description("list the snapshots of the registry: companies, branches, origins, age");
  addPrinting(command, context, () => {
    const directory = directoryOf(context);
    const snapshots = listSnapshots(directory);
    const hints = snapshots.length === 0 ? [noRegistry(directory)] : [];
    return { document: { directory, snapshots }, lines: () => snapshots.flatMap(describe), hints };
  });
  command
    .command("rollback")
    .description("serve the previous snapshot again; a second rollback returns to the newer one")
    .action(async () => {
      const info = await rollback(directoryOf(context));
      context.out(`${info.file} is now current: ${companiesOf(info)}.`);
    });
  command
    .command("rebuild")
    .description(
      "write the registry to one file without forgotten companies, and delete the previous snapshot if it contains one",
    )
    .action(() => rebuildRegistry(context));
  command
    .command("verify")
    .description("verify the snapshots and their name indexes completely; a damaged index is rebuilt")
    .action(() => verify(context));
  command
    .command("prepare")
    .description(
      "build the name indexes that this version needs, next to those of other versions; run it before you start this version instead of another",
    )
    .action(() => prepare(context));
  addPublishedCommands(command, context);
};

function listSnapshots(directory: string): ListedSnapshot[] {
  const pointer = readPointer(directory);
  return (["current", "previous"] as const).flatMap((state) => {
    const info = pointer?.[state];
    if (info === undefined) return [];
    return [{ state, ...info, ...known("problem", problemOf(directory, info)) }];
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
  const { state, file, branches, bytes, createdAt, origins, layers = [], problem } = snapshot;
  const size = `${companiesOf(snapshot)}, ${counted(branches, "branch", "branches")}, ${megabytes(bytes)}`;
  return [
    `${state.padEnd(8)}  ${file}  ${size}, built ${createdAt} (${age(createdAt)})`,
    ...[
      ...origins.map(
        (origin) =>
          `${origin.origin}: ${companiesOf(origin)}, data of ${origin.asOf.slice(0, 10)} (${age(origin.asOf)})`,
      ),
      ...layers.map(
        (layer, place) =>
          `${place === 0 ? "base   " : "segment"}  ${layer.file}  ${companiesOf(layer)}, ${megabytes(layer.bytes)}, built ${layer.createdAt}`,
      ),
      ...(problem === undefined ? [] : [problem]),
    ].map((line) => `          ${line}`),
  ];
}

function age(isoTime: string): string {
  const days = Math.floor((Date.now() - Date.parse(isoTime)) / DAY_MS);
  return days < 1 ? "today" : `${counted(days, "day", "days")} old`;
}

async function rebuildRegistry(context: CliContext): Promise<void> {
  refuseCopy(context.settings(), "rebuild it where it is published, then publish it");
  const directory = directoryOf(context);
  context.setTemporaryFolder(context.settings().DATA_DIR);
  const omit = await suppressedNumbers(context);
  const rebuilt = await withProgress(context, (progress) =>
    rebuild(directory, { omit, onProgress: progress.update }),
  );
  if (rebuilt === undefined) throw new CommandFailure(noRegistry(directory));
  const { snapshot, removed, isNew } = rebuilt;
  context.out(
    isNew
      ? `${snapshot.file} is now current: ${companiesOf(snapshot)}, ${removed.toLocaleString("en")} removed.`
      : `${snapshot.file} is unchanged: it is a single file without forgotten companies.`,
  );
}

/**
 * Builds the missing indexes of both snapshots, the current one first. Another version may serve the registry in the
 * meantime. The previous snapshot is not needed to serve, so a problem with it is only reported.
 */
async function prepare(context: CliContext): Promise<void> {
  const directory = directoryOf(context);
  const snapshots = listSnapshots(directory);
  if (snapshots.length === 0) context.out(`${noRegistry(directory)} There is nothing to prepare.`);
  for (const { state, info } of layersIn(snapshots)) {
    try {
      await completeNames(context, directory, info, state);
    } catch (error) {
      if (!state.startsWith("previous") || !(error instanceof RegistryRefusal)) throw error;
      context.err(error.message);
    }
  }
}

/** Reads every snapshot in full. @throws {CommandFailure} if one is damaged, after all were read */
async function verify(context: CliContext): Promise<void> {
  const directory = directoryOf(context);
  const snapshots = listSnapshots(directory);
  if (snapshots.length === 0) throw new CommandFailure(noRegistry(directory));
  const problems: string[] = [];
  for (const { state, info } of layersIn(snapshots)) {
    try {
      await verifyLayer(context, directory, info, state);
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new CommandFailure(problems.join("\n"));
}

/** The files of snapshots, each once even if two of them share it. */
function layersIn(snapshots: readonly ListedSnapshot[]): { state: string; info: LayerInfo }[] {
  const all = snapshots.flatMap(({ state, problem: _, ...snapshot }) =>
    layersOf(snapshot).map((info) => ({ state: state.padEnd(8), info })),
  );
  return all.filter(({ info }, at) => all.findIndex((one) => one.info.file === info.file) === at);
}

/** Reads one file and its name index in full and rebuilds an unusable index. @throws {DamagedSnapshot} */
async function verifyLayer(
  context: CliContext,
  directory: string,
  info: LayerInfo,
  state: string,
): Promise<void> {
  const { file, bytes } = info;
  await withProgress(context, (progress) =>
    verifyAnew(directory, info, (done) =>
      progress.update({ stage: `reading ${file}`, unit: "bytes", done, total: bytes }),
    ),
  );
  context.out(`${state}  ${file}  is intact`);
  await completeNames(context, directory, info, state);
}

/** Reads the name index of a file in full and builds an unusable one. */
async function completeNames(
  context: CliContext,
  directory: string,
  info: LayerInfo,
  state: string,
): Promise<void> {
  const { file, companies: total, sha256 } = info;
  const path = join(directory, file);
  const shown = `${state}  ${basename(namesPathOf(file))}`;
  const reason = await verifyNames(path, sha256);
  if (reason === undefined) return context.out(`${shown}  is intact`);
  context.out(`${shown}  cannot be used: ${reason}. It is being built.`);
  await withProgress(context, (progress) =>
    buildNames(
      { path, info },
      { onCompanies: (done) => progress.update({ stage: "indexing", done, total }) },
    ),
  );
  context.out(`${shown}  is built`);
}
