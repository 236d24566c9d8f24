/** Opens the registry of a process and follows its changes. */

import { RegistryRefusal } from "../../registry/errors.ts";
import type { NamesBuilding } from "../../registry/names/namesLoader.ts";
import { registryDirectory } from "../../registry/paths.ts";
import type { Follower } from "../../registry/published/follow.ts";
import { startOpening } from "../../registry/registry.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";
import { UnknownTiers, unknownTiers } from "../unknownTiers.ts";

type Logger = Log["logger"];

const BUILDING = {
  begun:
    "the index of names must be built, which takes a minute or two for four million companies: until then lookups work, and search uses the previous snapshot or answers 503",
  "under way": "the index of names is being built",
  done: "the index of names is built",
} satisfies Record<Exclude<NamesBuilding["state"], "failed">, string>;

/** Opens the registry, follows it and logs changes. The caller must await `opened`. */
export function openRegistryOf(settings: Settings, logger: Logger): ReturnType<typeof startOpening> {
  return startOpening(registryDirectory(settings.DATA_DIR), {
    onSwap: ({ file, companies }) =>
      logger.info({ file, companies }, "a new registry snapshot is being served"),
    onProblem: (error) => logger.error({ err: error }, "a new registry snapshot cannot be used"),
    onBuilding: (building) => {
      if (building.state !== "failed") {
        const { state, ...facts } = building;
        return logger.info(facts, BUILDING[state]);
      }
      const { file, companies, error, nextTryInSeconds } = building;
      const isKnown = error instanceof RegistryRefusal;
      const reason = isKnown ? error.message : undefined;
      const err = isKnown ? undefined : error;
      logger.error(
        { file, companies, nextTryInSeconds, reason, err },
        "the index of names could not be built: names cannot be searched; trying again",
      );
    },
  });
}

/** @throws {UnknownTiers} (the promise) if accounts have tiers that the settings lack, and that is not allowed */
export async function checkTiers(
  settings: Settings,
  { accounts }: Pick<StateStore, "accounts">,
  allowsUnknownTiers: boolean,
  logger: Logger,
): Promise<void> {
  const unknown = await unknownTiers(accounts, settings.TIERS_FILE);
  if (unknown.length === 0) return;
  if (!allowsUnknownTiers) throw new UnknownTiers(unknown);
  logger.warn(
    { unknown },
    "accounts have tiers that are missing from TIERS_FILE: they may make one call a minute",
  );
}

/**
 * Keeps the registry up to date while the service listens.
 * @param worker the number of this process among several; only the first one reports
 */
export function maintainRegistry(settings: Settings, logger: Logger, worker: number = 1) {
  let follower: Follower | undefined;
  return {
    /** Whether the registry may be out of date, because the published one cannot be fetched. */
    isBehind: () => follower?.isFailing === true || follower?.isStale === true,
    async start() {
      const { DATABASE_URL, WORKERS: processes = 1 } = settings;
      if (DATABASE_URL !== undefined && worker === 1) {
        const { warnOfDatabase } = await import("../doctor/database.ts");
        void warnOfDatabase(DATABASE_URL, processes, logger);
      }
      if (settings.REGISTRY_URL !== undefined) {
        const { followRegistry } = await import("./followed.ts");
        follower = followRegistry(settings, settings.REGISTRY_URL, logger);
      }
    },
    async stop() {
      await follower?.stop();
    },
  };
}
