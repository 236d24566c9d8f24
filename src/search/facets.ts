import { normalise, squeeze } from "./normalise.ts";

/**
 * What a search may ask beside names is indexed as words too, told apart by a sign before them that no normalised
 * text holds.
 */
export const SIGNS = { city: "@", postalCode: "#", sbiCode: "%", legalForm: "$" } as const;

const SIGN_BYTES = new Set(Object.values(SIGNS).map((sign) => sign.charCodeAt(0)));

/** Whether a byte begins what is asked beside names, and no word of a name. */
export function isSignByte(byte: number): boolean {
  return SIGN_BYTES.has(byte);
}

/** Cities that have two names in daily use: people type the second where registers write the first. */
const CITY_ALIASES: Readonly<Record<string, string>> = {
  denhaag: "sgravenhage",
  thehague: "sgravenhage",
  denbosch: "shertogenbosch",
};

export function cityWord(city: string): string | undefined {
  return normalCityWord(normalise(city));
}

/** The same of a city that was normalised. */
export function normalCityWord(normal: string): string | undefined {
  const key = squeeze(normal);
  return key === "" ? undefined : SIGNS.city + (CITY_ALIASES[key] ?? key);
}

/** A postal code or the start of one; undefined when it holds neither letter nor digit. */
export function postalCodeWord(postalCode: string): string | undefined {
  const key = postalCode.toLowerCase().replace(/[^a-z0-9]/g, "");
  return key === "" ? undefined : SIGNS.postalCode + key;
}

/** An SBI code or the start of one, with or without dots. */
export function sbiWord(sbiCode: string): string | undefined {
  const key = sbiCode.replace(/[^0-9]/g, "");
  return key === "" ? undefined : SIGNS.sbiCode + key;
}

export function legalFormWord(legalForm: string): string {
  return SIGNS.legalForm + legalForm.toLowerCase();
}
