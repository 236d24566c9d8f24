import { type KvkNumberText, parseKvkNumberText } from "../../../../../../src/contract/kvkNumberText.ts";
import { type Cell, textOf } from "./table.ts";

/** Reads the KVK number of a cell, in the notations of people and spreadsheets. */
export function readNumber(cell: Cell | undefined): KvkNumberText {
  if (cell instanceof Date) return { kind: "other", why: "date" };
  return typeof cell === "boolean" ? { kind: "other", why: "text" } : parseKvkNumberText(textOf(cell));
}
