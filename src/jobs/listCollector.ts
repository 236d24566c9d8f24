/** Collects the items of a list while its body is parsed. */
export interface ListCollector {
  /** The maximum size of a line of the body in bytes. */
  readonly maxLineBytes: number;
  /** Whether its items are texts that a wrong encoding would damage. */
  readonly hasTexts: boolean;
  /** Adds the item on a line of JSON lines. @throws {ApiError} if there is none */
  addLine(text: string, line: number): void;
  /** Finds the columns of a CSV file. @throws {ApiError} if they are not recognised */
  readHeader(header: readonly string[]): void;
  /** Adds the item in a row of a CSV file. @throws {ApiError} */
  addCells(cells: readonly string[]): void;
  /** @throws {ApiError} if the list is empty */
  result(): ReceivedList;
}

export interface ReceivedList {
  /** Numbers without duplicates, each as it was first written; or rows to match, see `matchRow.ts`. */
  readonly numbers: readonly string[];
  readonly sent: number;
  /** The number of well-formed ones. A malformed one is free. */
  readonly payable: number;
}

/** Parses a line of JSON; undefined if it is not JSON, or too long. */
export function jsonOn(text: string, maxLength: number): unknown {
  try {
    return text.length > maxLength ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
