import { basename, join } from "node:path";
import type { Settings } from "../app/settings/settings.ts";
import { readPointer } from "../registry/directory.ts";
import { layersOf, type SnapshotInfo } from "../registry/info.ts";
import { NamesLoader } from "../registry/names/namesLoader.ts";
import { namesPathOf } from "../registry/names/storedNames.ts";
import { openCurrentSnapshot, openSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/paths.ts";
import type { SnapshotFile } from "../registry/snapshotFile.ts";
import type { Snapshot } from "../registry/types.ts";
import { type CliContext, CommandFailure } from "./command.ts";
import { counted } from "./output.ts";
import { withProgress } from "./progress.ts";

export const noRegistry = (directory: string) =>
  `There is no registry in ${directory} yet: import one with "opzoek import <format> <file>".`;

export function directoryOf(context: CliContext): string {
  return registryDirectory(context.settings().DATA_DIR);
}

export function companiesOf({ companies }: { readonly companies: number }): string {
  return counted(companies, "company", "companies");
}

/** Passes the current snapshot to `use`, straight from the file. @throws {CommandFailure} if there is none */
export async function withSnapshot<T>(
  context: CliContext,
  use: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  const directory = directoryOf(context);
  const snapshot = openCurrentSnapshot(directory);
  if (snapshot === undefined) throw new CommandFailure(noRegistry(directory));
  try {
    return await use(snapshot);
  } finally {
    snapshot.close();
  }
}

/** The same for searches by name, after building a missing name index. */
export async function withNames<T>(context: CliContext, use: (snapshot: SnapshotFile) => T): Promise<T> {
  const directory = directoryOf(context);
  const info = readPointer(directory)?.current;
  if (info === undefined) throw new CommandFailure(noRegistry(directory));
  // Fail on a damaged snapshot before spending minutes on its index.
  openSnapshot(directory, info).close();
  const names = await loadNames(context, directory, info);
  const snapshot = openSnapshot(directory, info, { names });
  try {
    return use(snapshot);
  } finally {
    snapshot.close();
  }
}

function loadNames(context: CliContext, directory: string, info: SnapshotInfo) {
  const places = layersOf(info).map((layer) => ({ path: join(directory, layer.file), info: layer }));
  return withProgress(context, async (progress) => {
    const loader = new NamesLoader({
      reportEveryMs: 0,
      onBuilding: (building) => {
        if (building.state === "begun") {
          const file = basename(namesPathOf(building.file));
          context.err(`${file} cannot be used: ${building.reason}. It is being built and stored.`);
        } else if (building.state === "under way") {
          progress.update({ stage: "indexing", done: building.done, total: building.companies });
        }
      },
    });
    try {
      return await loader.complete(places, await loader.read(places));
    } finally {
      loader.close();
    }
  });
}

/** @throws {CommandFailure} if the registry is fetched from elsewhere: the next fetch would undo a change */
export function refuseCopy({ REGISTRY_URL }: Settings, advice: string): void {
  if (REGISTRY_URL === undefined) return;
  throw new CommandFailure(`REGISTRY_URL is set, so this registry is a copy: ${advice}.`);
}
