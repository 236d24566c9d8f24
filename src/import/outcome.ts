import type { SourcedFacts } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";

/** The outcome of one record of a file. `line` is where the record begins, from 1. */
export type RecordResult =
  | {
      readonly kind: "facts";
      readonly line: number;
      readonly sourced: SourcedFacts;
      /** Fields of the record that could not be understood and were omitted. */
      readonly leftOut: readonly Rejection[];
    }
  | {
      readonly kind: "skipped";
      readonly line: number;
      readonly rejection: Rejection;
      readonly record: string;
    }
  /** Records of other registers, such as German companies in a world-wide file. */
  | { readonly kind: "outside"; readonly rows: number };

/** The whole import failed, and nothing was changed. The message names the file, the problem and what to do. */
export class ImportRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ImportRefused";
  }
}
