/**
 * Whether what was left out may be a part of the name after all: `certain` that it is not, certain of a company in the
 * city of the query, or so doubtful that a person must decide.
 */
export const DOUBT = { certain: 0, unlessInCity: 1, doubtful: 2 } as const;

/** One way to read a text as a name. */
export interface NameReading {
  /** The whole text, its broken characters repaired. */
  readonly whole: string;
  /** The name in it. */
  readonly text: string;
  /** See {@link DOUBT}. */
  readonly doubt: number;
  /** Compares owners' associations without the house numbers in their names. */
  readonly isWithoutNumbers?: boolean;
}

/** Returns the reading of a shorter text. @param doubt that of what was left out */
export function shorter(one: NameReading, text: string, doubt: number = DOUBT.certain): NameReading {
  return { ...one, text: trimmed(text), doubt: Math.max(one.doubt, doubt) };
}

/** Removes signs around a text, and a bracket that another part opened or closed. */
export function trimmed(text: string): string {
  const single = text
    .replace(/ {2,}/g, " ")
    .replace(/^[\s,;|:/)\]–—-]+|(?<![\s,;|:#/([–—-])[\s,;|:#/([–—-]+$/g, "");
  return /[([]/.test(single) ? single : single.replace(/[)\]]/g, "");
}
