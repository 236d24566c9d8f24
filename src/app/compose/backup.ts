/** What a backup of an embedded state takes along of the data folder, and where it is put back. */
import type {
  AskedBackup,
  AskedRestore,
  MadeBackup,
  RestoredState,
  WholeProgress,
} from "../../cli/command.ts";
import { checkNoRegistry, copyRegistry, placeRegistry } from "../../snapshot/backup.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import { backupState } from "../../storage/backup/backupState.ts";
import { restoreState } from "../../storage/backup/restoreState.ts";
import type { Settings } from "../settings/settings.ts";
import { programVersion } from "../version.ts";
import { sealKeyPath } from "./sealKeys.ts";

export function backUp(
  { DATA_DIR: dataDir }: Settings,
  { hasRegistry, ...asked }: AskedBackup,
  progress: WholeProgress,
): Promise<MadeBackup> {
  return backupState({
    ...asked,
    ...progress,
    dataDir,
    version: programVersion(),
    keyFile: sealKeyPath(dataDir),
    ...(hasRegistry && {
      copyRegistry: (target: string) => copyRegistry(registryDirectory(dataDir), target),
    }),
  });
}

export async function restore(
  { DATA_DIR: dataDir }: Settings,
  { from, replaces, hasRegistry }: AskedRestore,
  { onChecking }: WholeProgress,
): Promise<RestoredState> {
  const registry = registryDirectory(dataDir);
  if (hasRegistry) checkNoRegistry(registry);
  return restoreState({
    from,
    replaces,
    dataDir,
    onChecking,
    keyFile: sealKeyPath(dataDir),
    ...(hasRegistry && { placeRegistry: (backup: string) => placeRegistry(backup, registry) }),
  });
}
