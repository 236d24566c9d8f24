import type { MatchNote } from "../../contract/matchResources.ts";

/** A number that may be a VAT number or a citizen's number: eight digits or more, however they are grouped. */
const LONG_NUMBER = /[0-9](?:[\s./-]?[0-9]){7,}/g;
const MAX_PARTS = 3;
const MAX_LENGTH = 40;

/** Returns the note that parts of a name were not compared; undefined if there are none. */
export function leftOutNote(leftOut: readonly string[]): readonly MatchNote[] | undefined {
  if (leftOut.length === 0) return undefined;
  const parts = leftOut.slice(0, MAX_PARTS).map(quotedPart).join(" and ");
  return [{ code: "left_out", message: `${parts} in the name was not compared` }];
}

/** Quotes a part of a name, without long numbers. */
export function quotedPart(text: string): string {
  const safe = text.replace(LONG_NUMBER, "…");
  if (safe === "…") return "a number";
  const letters = [...safe];
  return letters.length > MAX_LENGTH ? `"${letters.slice(0, MAX_LENGTH).join("")}…"` : `"${safe}"`;
}
