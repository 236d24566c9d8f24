import type { CsvImportOptions } from "./formats/csv/read.ts";

export const IMPORT_FORMATS = ["gleif", "kvk", "csv", "jsonl"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export interface ImportRequest {
  /** The registry's folder, as `registryDirectory` names it. */
  readonly directory: string;
  readonly format: ImportFormat;
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[];
  readonly stdin: AsyncIterable<Buffer>;
  /** Replace the registry instead of adding to it. */
  readonly replace?: boolean;
  /** Let an origin lose more than a tenth of its companies. */
  readonly allowShrink?: boolean;
  /**
   * The name in the origin `import:<name>`; else each file's own, or that of the source that it continues. GLEIF's data
   * has the origin `gleif`.
   */
  readonly name?: string;
  /** For the format kvk: the file contains responses of KVK's API. */
  readonly isFromKvkApi?: boolean;
  /** The date of the data, ISO 8601 UTC; else the file's own time. A record that carries a date keeps it. */
  readonly asOf?: string;
  readonly csv?: CsvImportOptions;
  /** Where to write every record that was skipped. */
  readonly rejectsPath?: string;
  /** KVK numbers that must not get into the registry. */
  readonly omit?: ReadonlySet<string>;
  /** Called with a remark for a person about the source of a file. */
  readonly onNotice?: (notice: string) => void;
  readonly onProgress?: (progress: ImportFilesProgress) => void;
  readonly now?: () => number;
}

export interface ImportFilesProgress {
  /** `reading FILE`, then the stages of building the snapshot. */
  readonly stage: string;
  readonly unit: "bytes" | "companies";
  readonly done: number;
  readonly total?: number;
}
