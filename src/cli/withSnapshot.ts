import { basename, join } from "node:path";
import { readPointer } from "../registry/directory.ts";
import { layersOf, type SnapshotInfo } from "../registry/info.ts";
import { type NamesBuilding, NamesLoader } from "../registry/names/namesLoader.ts";
import { namesPathOf } from "../registry/names/storedNames.ts";
import { openCurrentSnapshot, openSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/places.ts";
import { RegistryRefusal } from "../registry/refusal.ts";
import type { Snapshot } from "../registry/types.ts";
import { type CliContext, CommandFailure, type CommandSettings } from "./command.ts";
import { StageProgress } from "./stageProgress.ts";

/** What a registry that is not there is told with. */
export const noRegistry = (directory: string) =>
  `There is no registry in ${directory} yet: fill it with "opzoek import <format> <file>".`;

/**
 * Hands the current snapshot to `use`, straight from the file: no server is needed and no tokens are spent.
 * @throws {CommandFailure} when there is none or it is damaged
 */
export function withSnapshot<T>(context: CliContext, use: (snapshot: Snapshot) => T): T {
  const directory = registryDirectory(context.settings().DATA_DIR);
  const snapshot = failing(() => openCurrentSnapshot(directory));
  if (snapshot === undefined) throw new CommandFailure(noRegistry(directory));
  try {
    return use(snapshot);
  } finally {
    snapshot.close();
  }
}

/**
 * The same for what searches names: an index of theirs that is not there is built first, which is told on stderr.
 * @throws {CommandFailure} when there is no snapshot or it is damaged
 */
export async function withNames<T>(context: CliContext, use: (snapshot: Snapshot) => T): Promise<T> {
  const directory = registryDirectory(context.settings().DATA_DIR);
  const info = failing(() => readPointer(directory))?.current;
  if (info === undefined) throw new CommandFailure(noRegistry(directory));
  // Before minutes go into its index: whether it can be used at all.
  failing(() => openSnapshot(directory, info)).close();
  const names = await loadNames(context, directory, info);
  const snapshot = failing(() => openSnapshot(directory, info, { names }));
  try {
    return use(snapshot);
  } finally {
    snapshot.close();
  }
}

async function loadNames(context: CliContext, directory: string, info: SnapshotInfo) {
  const progress = new StageProgress(context);
  const onBuilding = (building: NamesBuilding) => tellBuilding(context, progress, building);
  // The bar chooses itself how often it is drawn.
  const loader = new NamesLoader({ onBuilding, reportEveryMs: 0 });
  const places = layersOf(info).map((layer) => ({ path: join(directory, layer.file), info: layer }));
  try {
    return await loader.complete(places, await loader.read(places));
  } finally {
    progress.end();
    loader.close();
  }
}

function tellBuilding(context: CliContext, progress: StageProgress, building: NamesBuilding): void {
  const { companies: total } = building;
  if (building.state === "begun") {
    const file = basename(namesPathOf(building.file));
    context.err(`${file} cannot be used: ${building.reason}. It is built now, and kept for the next time.`);
  } else if (building.state === "under way") {
    progress.update({ stage: "indexing", unit: "companies", done: building.done, total });
  }
}

/** @throws {CommandFailure} when the registry is fetched from elsewhere: the next fetch would undo a change */
export function refuseCopy({ REGISTRY_URL }: Pick<CommandSettings, "REGISTRY_URL">, advice: string): void {
  if (REGISTRY_URL === undefined) return;
  throw new CommandFailure(`REGISTRY_URL is set, so this registry is a copy: ${advice}.`);
}

/** Runs work on the registry; what an operator can do something about fails the command with its own message. */
export function failing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFailure(error);
  }
}

export function asFailure(error: unknown): unknown {
  return error instanceof RegistryRefusal ? new CommandFailure(error.message) : error;
}
