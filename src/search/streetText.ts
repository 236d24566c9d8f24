import { normalise } from "./normalise.ts";

/** Parts of streets that are often abbreviated. */
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/str\b/g, "straat"],
  [/pln\b/g, "plein"],
  [/ln\b/g, "laan"],
  [/wg\b/g, "weg"],
  [/^(?:burg|bgm)\b/g, "burgemeester"],
  [/^dr\b/g, "doctor"],
  [/^prof\b/g, "professor"],
  [/^pres\b/g, "president"],
  [/^gen\b/g, "generaal"],
];

/** A street, normalised and without abbreviations: `burgemeester korenlaan` for `Burg. Korenln.` */
export function normalStreet(street: string): string {
  return ABBREVIATIONS.reduce((text, [short, long]) => text.replace(short, long), normalise(street));
}
