import { earlierOf } from "../../lib/deadline.ts";
import {
  type FetchOptions,
  type InstalledSnapshot,
  installPublished,
  isInstalled,
} from "./fetchPublished.ts";
import { MANIFEST_FILE, MAX_MANIFEST_BYTES, type Manifest, readManifest, untrusted } from "./manifest.ts";
import { FETCH_TIMEOUTS } from "./source.ts";

export type Round =
  | ({ readonly did: "took"; readonly manifest: Manifest } & InstalledSnapshot)
  | { readonly did: "nothing" };

const MAX_PAUSE_MS = 3_600_000;

/** A published registry that one process polls. */
export class PublishedRegistry {
  readonly #options: FetchOptions;
  readonly #firstPauseMs: number;
  readonly #now: () => number;
  /** The ETag of the last processed manifest. */
  #etag: string | undefined;
  #signedAt: string | undefined;
  #failed: { readonly sha256: string; readonly error: unknown; pauseMs: number; untilMs: number } | undefined;

  /**
   * @param firstPauseMs the pause before a failed archive is downloaded again; doubles with each failure, up to an hour
   * @param now a monotonic clock in milliseconds
   */
  constructor(options: FetchOptions, firstPauseMs = 0, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#firstPauseMs = firstPauseMs;
    this.#now = now;
  }

  /** The signing time of the last accepted manifest, ISO 8601 UTC. */
  get signedAt(): string | undefined {
    return this.#signedAt;
  }

  /**
   * Reads the manifest and installs its snapshot, unless it is already installed. `signal` aborts the round.
   * @throws {RegistryRefusal} when it cannot be installed, or another process uses the folder; the current snapshot
   * stays
   */
  async round(signal: AbortSignal): Promise<Round> {
    const { publicKeys, source, patience = FETCH_TIMEOUTS } = this.#options;
    const file = await source.get(MANIFEST_FILE, earlierOf(signal, patience.stallMs), this.#etag);
    if (file === undefined) return { did: "nothing" };
    this.#etag = undefined;
    const manifest = readManifest(await readSmall(file.body), publicKeys);
    const isHere = await isInstalled(manifest, this.#options);
    this.#signedAt = manifest.publishedAt;
    const taken = isHere ? undefined : await this.#take(manifest, signal);
    this.#etag = file.etag;
    this.#failed = undefined;
    return taken === undefined ? { did: "nothing" } : { did: "took", ...taken, manifest };
  }

  /** Undefined when it was already installed. */
  async #take(manifest: Manifest, signal: AbortSignal): Promise<InstalledSnapshot | undefined> {
    const { sha256 } = manifest.archive;
    const failed = this.#failed?.sha256 === sha256 ? this.#failed : undefined;
    if (failed !== undefined && this.#now() < failed.untilMs) throw failed.error;
    try {
      return await installPublished(manifest, this.#options, signal);
    } catch (error) {
      const pauseMs = failed === undefined ? this.#firstPauseMs : Math.min(failed.pauseMs * 2, MAX_PAUSE_MS);
      this.#failed = { sha256, error, pauseMs, untilMs: this.#now() + pauseMs };
      throw error;
    }
  }
}

async function readSmall(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_MANIFEST_BYTES) throw untrusted("it is longer than any manifest: check REGISTRY_URL");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
