import type { KeyObject } from "node:crypto";

/** A published folder, wherever it is. All of it is untrusted: its bytes, its sizes, its manners. */
export interface PublishedSource {
  /**
   * The manifest's file; undefined when it is the one of `etag` still.
   * @throws {FetchFailure} when it cannot be had, or is too long for one
   */
  manifest(
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<{ bytes: Buffer; etag: string | undefined } | undefined>;
  /**
   * The list of published indexes of names; undefined where there is none.
   * @throws {FetchFailure} when it cannot be had, or is too long for one
   */
  namesList(signal: AbortSignal): Promise<Buffer | undefined>;
  /**
   * A file from the byte `from` on. `start` says where `body` begins: there, or at 0 when only all of it can be had.
   * @throws {FetchFailure} also while `body` is read
   */
  file(
    name: string,
    from: number,
    signal: AbortSignal,
  ): Promise<{ start: number; body: AsyncIterable<Buffer> }>;
  close(): Promise<void>;
}

/** How long a source may take. */
export interface Patience {
  /** For a connection, and for the manifest as a whole. */
  readonly manifestMs: number;
  /** Between two pieces of a file. */
  readonly stallMs: number;
  /** For one download, after which the next round goes on: a source that drips holds nothing for ever. */
  readonly downloadMs: number;
}

export const PATIENCE: Patience = { manifestMs: 30_000, stallMs: 30_000, downloadMs: 3_600_000 };

/** Where a published registry is followed from, and to. */
export interface FetchOptions {
  /** The registry's folder. */
  readonly directory: string;
  readonly source: PublishedSource;
  readonly publicKeys: readonly KeyObject[];
  /** Neither the file nor what it expands to may be larger. */
  readonly maxBytes: number;
  readonly patience?: Patience;
  readonly onProgress?: (progress: { stage: string; done: number; total: number }) => void;
}
