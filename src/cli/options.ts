import { InvalidArgumentError } from "commander";
import { type ColumnMap, parseColumnMap } from "../company/table/columns.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { type KvkNumber, lostZeroHint, parseKvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { hasScheme } from "../lib/secretUrl.ts";
import { UsageError } from "./command.ts";

export interface JsonOption {
  readonly json?: boolean | undefined;
}

/** `.option(...JSON_OPTION)` */
export const JSON_OPTION = ["--json", "print one JSON document"] as const;

/** Reads a whole number of an option. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[0-9]+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Reads the value of `--map`. */
export function columnMap(text: string): ColumnMap {
  const map = parseColumnMap(text);
  if ("problem" in map) throw new InvalidArgumentError(map.problem);
  return map;
}

/** Parses a KVK number in any notation that people use. @throws {UsageError} */
export function kvkNumber(text: string): KvkNumber {
  const number = parseKvkNumber(kvkDigitsOf(text));
  if (number !== undefined) return number;
  throw new UsageError(`A KVK number is exactly 8 digits; got ${quoted(text)}${lostZeroHint(text)}.`);
}

/**
 * Checks the path of a file or folder to write. An address such as `s3://…` would create a folder `s3:`, and an empty
 * path, from an unset variable, means the current folder.
 * @throws {UsageError} for both
 */
export function localPathArgument(text: string): string {
  if (text === "") throw new UsageError("the path is empty: check that the variable it comes from is set");
  if (hasScheme(text)) {
    throw new UsageError(
      `${text} is an address: use a path on this machine, then copy the file with another program`,
    );
  }
  return text;
}
