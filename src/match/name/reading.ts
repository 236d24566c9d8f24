/**
 * How surely a text that was left out is not a part of the name. `place`: sure of a company in the city of the query; `unsure`: it may be what
 * distinguishes the company from another, so that a person must decide.
 */
const CERTAINTIES = ["sure", "place", "unsure"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** One way to read a text as a name. */
export interface Reading {
  readonly text: string;
  /** The parts of the text that are not compared. */
  readonly leftOut: readonly string[];
  readonly certainty: Certainty;
  /** Compares owners' associations without the house numbers in their names. */
  readonly isWithoutNumbers?: boolean;
}

export const readingOf = (text: string): Reading => ({ text: trimmed(text), leftOut: [], certainty: "sure" });

/** Returns a reading with a further part left out. @param text what is left, if it is another text than before */
export function leave(one: Reading, part: string, certainty: Certainty = "sure", text = one.text): Reading {
  const least = Math.max(CERTAINTIES.indexOf(one.certainty), CERTAINTIES.indexOf(certainty));
  const leftOut = [...one.leftOut, trimmed(part)].filter((left) => left !== "");
  return { text: trimmed(text), leftOut, certainty: CERTAINTIES[least] ?? "unsure" };
}

/** Removes signs around a text, and a bracket that another part opened or closed. */
function trimmed(text: string): string {
  const single = text
    .replace(/ {2,}/g, " ")
    .replace(/^[\s,;|:/)\]–—-]+|(?<![\s,;|:#/([–—-])[\s,;|:#/([–—-]+$/g, "");
  return /[([]/.test(single) ? single : single.replace(/[)\]]/g, "");
}
