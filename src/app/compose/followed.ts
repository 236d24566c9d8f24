import { RegistryRefusal } from "../../registry/errors.ts";
import { registryDirectory } from "../../registry/paths.ts";
import { type Follower, followPublished } from "../../registry/published/follow.ts";
import { parsePublicKey } from "../../registry/published/keys.ts";
import { openPublishedSource } from "../../registry/published/source.ts";
import { lossesShown } from "../../registry/shrinkGuard.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";

/** Follows `url` (`REGISTRY_URL`). The registry in the same folder serves the fetched snapshots. */
export function followRegistry(settings: Settings, url: string, logger: Log["logger"]): Follower {
  const warnAfter = settings.REGISTRY_WARN_AFTER;
  return followPublished({
    directory: registryDirectory(settings.DATA_DIR),
    source: openPublishedSource(url, settings.REGISTRY_HEADERS),
    publicKeys: settings.REGISTRY_PUBLIC_KEY.map(parsePublicKey),
    maxBytes: settings.REGISTRY_MAX_BYTES,
    pollMs: settings.REGISTRY_POLL_SECONDS * 1_000,
    ...(warnAfter !== undefined && { warnAfterMs: warnAfter * 1_000 }),
    onTaken: ({ snapshot: { file, companies }, losses }, serial) => {
      logger.info({ file, companies, serial }, "a published registry snapshot was fetched");
      if (losses.length === 0) return;
      logger.warn(
        { file, lost: lossesShown(losses) },
        "the published registry has far fewer companies than before: roll back if that is not intended",
      );
    },
    onStale: (signedAt) =>
      logger.warn(
        { signedAt },
        "the signature of the published registry is old: check that it is still published",
      ),
    onSignOfLife: (signedAt) =>
      logger.info({ signedAt }, "the published registry has a recent signature again"),
    onProblem: (error) => {
      const isKnown = error instanceof RegistryRefusal;
      const shown = isKnown ? { reason: error.message } : { err: error };
      logger.warn(shown, "the published registry cannot be fetched");
    },
    onRecovered: () => logger.info("the published registry can be fetched again"),
  });
}
