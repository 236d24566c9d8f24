import { RegistryBusy } from "../lock.ts";
import { FetchFailure } from "./failure.ts";
import { isFollowed, type Taken, type TakeOptions, take } from "./fetchPublished.ts";
import { type Manifest, publishedLayers, readManifest } from "./manifest.ts";
import type { FetchOptions } from "./source.ts";

/** What one round did. `busy`: another process of the same folder is at work. */
export type Round =
  | ({ readonly did: "took"; readonly manifest: Manifest } & Taken)
  | { readonly did: "nothing" }
  | { readonly did: "busy"; readonly error: RegistryBusy };

/** A file that was fetched in vain is left alone for so long at most, unless another one is published. */
const LONGEST_PAUSE_MS = 3_600_000;

/** One published registry as one process follows it, round after round. */
export class PublishedRegistry {
  readonly #options: FetchOptions;
  readonly #pauseMs: number;
  readonly #now: () => number;
  /** Of the last manifest that was followed to the end; only then may the server say that it is the same. */
  #etag: string | undefined;
  #signedAt: string | undefined;
  #refused: { readonly name: string; readonly error: unknown; pauseMs: number; untilMs: number } | undefined;

  /**
   * @param pauseMs how long a file that turned out bad is left alone, doubled with each time; 0 for never
   * @param now milliseconds that only go forward
   */
  constructor(options: FetchOptions, pauseMs: number, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#pauseMs = pauseMs;
    this.#now = now;
  }

  /** When the manifest was signed that was seen last, ISO 8601 UTC; one that is older than what was taken does not count. */
  get signedAt(): string | undefined {
    return this.#signedAt;
  }

  /**
   * Looks at the manifest and takes what it names, unless that is here. `signal` ends the round.
   * @throws {RegistryRefusal} when that cannot be done; what is current stays
   */
  async round(signal: AbortSignal, how: TakeOptions = {}): Promise<Round> {
    const { directory, source, publicKeys } = this.#options;
    const answer = await source.manifest(this.#etag, signal);
    if (answer === undefined) return { did: "nothing" };
    this.#etag = undefined;
    const manifest = readManifest(answer.bytes, publicKeys);
    const isHere = await isFollowed(directory, manifest, how);
    this.#signedAt = manifest.publishedAt;
    const taken = isHere ? undefined : await this.#take(manifest, how, signal);
    if (taken instanceof RegistryBusy) return { did: "busy", error: taken };
    this.#etag = answer.etag;
    this.#refused = undefined;
    return taken === undefined ? { did: "nothing" } : { did: "took", ...taken, manifest };
  }

  /** @returns undefined when it is here already */
  async #take(
    manifest: Manifest,
    how: TakeOptions,
    signal: AbortSignal,
  ): Promise<Taken | RegistryBusy | undefined> {
    const name = publishedLayers(manifest)
      .map(({ file }) => file.name)
      .join(" ");
    const refused = this.#refused?.name === name ? this.#refused : undefined;
    if (refused !== undefined && this.#now() < refused.untilMs) throw refused.error;
    try {
      return await take(manifest, this.#options, how, signal);
    } catch (error) {
      if (error instanceof RegistryBusy) return error;
      if (!signal.aborted && error instanceof FetchFailure && error.kind === "content") {
        const pauseMs =
          refused === undefined ? this.#pauseMs : Math.min(refused.pauseMs * 2, LONGEST_PAUSE_MS);
        this.#refused = { name, error, pauseMs, untilMs: this.#now() + pauseMs };
      }
      throw error;
    }
  }
}
