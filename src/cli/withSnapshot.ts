import { openCurrentSnapshot } from "../snapshot/openSnapshot.ts";
import { registryDirectory } from "../snapshot/places.ts";
import { RegistryRefusal } from "../snapshot/refusal.ts";
import type { Snapshot } from "../snapshot/types.ts";
import { type CliContext, CommandFailure } from "./command.ts";

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
