export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Invisible characters: soft hyphens, zero-width spaces, and direction marks, which can make a name look like another.
 * Joiners (U+200C, U+200D) stay: some scripts need them.
 */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** White space other than single spaces, and control characters. A cheap first test: most texts have none. */
const UNTIDY = /[^\S ]|[\u0000-\u001f\u007f-\u009f]| {2}/;

/**
 * Replaces control characters and runs of white space by one space, and removes invisible characters; undefined when
 * nothing is left.
 */
export function tidy(given: string): string | undefined {
  const text = given.replace(UNSEEN, "");
  const tidied = (UNTIDY.test(text) ? text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ") : text).trim();
  return tidied === "" ? undefined : tidied;
}

/** The decimals that a spreadsheet adds to a whole number: `12.0`, `12,00`. */
export const DECIMALS = /(?<=^\s*[0-9]+)[.,]0{1,2}(?=\s*$)/;
/** Grouped thousands: `1.234`, `1 234`. */
const THOUSANDS = /^[0-9]{1,3}(?:([.,\s])[0-9]{3})(?:\1[0-9]{3})*$/;

/** A whole number from 0 on, as people and spreadsheets write it; undefined for other texts. */
export function parseWhole(text: string): number | undefined {
  const bare = text.trim().replace(DECIMALS, "");
  const digits = THOUSANDS.test(bare) ? bare.replace(/[^0-9]/g, "") : bare;
  return /^[0-9]{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** An object with the key only when the value is known: for spreading. */
export function known<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  const part: { [K in Key]?: Value } = {};
  if (value !== undefined) part[key] = value;
  return part;
}

/** The object without undefined properties: unknown values are absent. */
export function present<T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): T {
  // The cast is safe: only an optional key of T can be undefined here.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/**
 * Whether a text has a control character or half of a surrogate pair, which PostgreSQL cannot store.
 * @param isMultiline allows tabs and line breaks
 */
export function isUnprintable(text: string, isMultiline = false): boolean {
  return (isMultiline ? /[^\P{Cc}\t\n\r]/u : /\p{Cc}/u).test(text) || !text.isWellFormed();
}

/** The share of one process of a limit for several processes, at least 1. */
export function partOf(bound: number, processes: number): number {
  return Math.max(1, Math.floor(bound / processes));
}
