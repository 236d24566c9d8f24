import {
  type NotAKvkNumber,
  readWrittenKvkNumber,
  type WrittenKvkNumber,
} from "../../../../../../src/contract/writtenKvkNumber.ts";
import { type Cell, textOf } from "./table.ts";

/** Why a cell holds no KVK number. */
export type NotANumber = NotAKvkNumber;
export type ReadNumber = WrittenKvkNumber;

/** Reads a cell as people and spreadsheets write KVK numbers. */
export function readNumber(cell: Cell | undefined): ReadNumber {
  if (cell instanceof Date) return { kind: "other", why: "date" };
  return typeof cell === "boolean" ? { kind: "other", why: "text" } : readWrittenKvkNumber(textOf(cell));
}
