import type { MatchNote } from "../../contract/matchResources.ts";
import { normalise, withoutSpaces } from "../../search/normalise.ts";
import { cleanQuery } from "../../search/query.ts";
import { type NameReading, trimmed } from "./reading.ts";

/** A number that may be a VAT number or a citizen's number: eight digits or more, however they are grouped. */
const LONG_NUMBER = /[0-9](?:[\s./-]?[0-9]){7,}/g;
const MAX_PARTS = 3;
const MAX_LENGTH = 40;

/** Returns the parts of a whole text that a reading of it does not have, in short and without long numbers. */
export function leftOutOf({ whole, text }: Pick<NameReading, "whole" | "text">): readonly string[] {
  const words = new Set(normalise(text).split(" "));
  const letters = withoutSpaces(normalise(text));
  const isIn = (word: string) =>
    words.has(word) || (word.length > 1 && letters.startsWith(withoutSpaces(word)));
  const runs = cleanQuery(whole)
    .split(" ")
    .map((word) =>
      normalise(word).split(" ").every(isIn) || letters === withoutSpaces(normalise(word)) ? "\n" : word,
    );
  return runs
    .join(" ")
    .replace(LONG_NUMBER, "…")
    .split("\n")
    .map((part) => trimmed(part))
    .filter((part) => /[\p{L}\p{N}…]/u.test(part))
    .map((part) => (part.length > MAX_LENGTH ? `${part.slice(0, MAX_LENGTH)}…` : part))
    .slice(0, MAX_PARTS);
}

/** Returns the note that parts of a name were not compared. */
export function leftOutNotes(reading: Pick<NameReading, "whole" | "text">): MatchNote[] {
  const parts = leftOutOf(reading).map((part) => (part === "…" ? "a number" : `"${part}"`));
  if (parts.length === 0) return [];
  return [{ code: "left_out", message: `left out of the comparison: ${parts.join(", ")}` }];
}
