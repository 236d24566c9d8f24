import { createHash } from "node:crypto";
import type { StateCode } from "../../vat/numbers/states.ts";

/** The text that VIES sends for a name or an address that it withholds. */
export const WITHHELD = "---";

/** Name and address of a trader as VIES shows them. */
export interface Shown {
  readonly name: string;
  readonly address: string;
}

const FIRST_WORDS = ["Imaginary", "Fictional", "Invented", "Pretended", "Made-up", "Storybook"];
const SECOND_WORDS = ["Lantern", "Harbour", "Clockwork", "Orchard", "Compass", "Umbrella", "Teapot"];
const STREETS = ["Nowhere Street", "Example Lane", "Sample Road", "Invention Square"];
const CITIES = ["Fabletown", "Sampleville", "Exampleham", "Mockford"];

/** One number in four is not registered. */
const SHARE_UNREGISTERED = 4;

/**
 * Whether a well-formed number is registered in the made-up registry: about three of four are, always the same ones.
 * The checksum does not matter: real registries hold numbers that the published checksums refuse.
 */
export function isRegistered(countryCode: StateCode, national: string): boolean {
  return hashOf(countryCode, national).readUInt16BE(0) % SHARE_UNREGISTERED !== 0;
}

/** The made-up trader of a number, always the same one. Germany and Spain confirm a number but show no trader. */
export function traderOf(countryCode: StateCode, national: string): Shown {
  if (countryCode === "DE" || countryCode === "ES") return { name: WITHHELD, address: WITHHELD };
  const hash = hashOf(countryCode, national);
  const draw = (at: number, end: number) => hash.readUInt16BE(at) % end;
  const pick = (at: number, words: readonly string[]) => words[draw(at, words.length)] ?? "";
  const name = `${pick(2, FIRST_WORDS)} ${pick(4, SECOND_WORDS)} ${1_000 + draw(6, 9_000)}`;
  const street = pick(8, STREETS);
  const houseNumber = String(1 + draw(10, 250));
  const postalCode = String(10_000 + draw(12, 90_000));
  const city = pick(14, CITIES);
  if (countryCode !== "NL") return { name, address: `${street} ${houseNumber}\n${postalCode} ${city}` };
  const dutch = { street, houseNumber, postalCode: `${postalCode.slice(0, 4)} XX`, city };
  return { name: name.toUpperCase(), address: dutchAddress(dutch) };
}

function hashOf(countryCode: StateCode, national: string): Buffer {
  return createHash("sha256").update(`${countryCode} ${national}`).digest();
}

interface DutchAddress {
  readonly street: string;
  readonly houseNumber: string;
  readonly postalCode: string;
  readonly city: string;
}

/**
 * An address as the Dutch registry gives it to VIES: in capitals, with line breaks around it, the house number padded
 * to five digits, the postal code without its space.
 */
export function dutchAddress({ street, houseNumber, postalCode, city }: Partial<DutchAddress>): string {
  const number = houseNumber?.replace(/^[0-9]+/, (digits) => digits.padStart(5, "0"));
  const parts = [
    [street, number],
    [postalCode?.replace(" ", ""), city],
  ];
  const lines = parts.map((line) => line.filter((part) => part !== undefined).join(" "));
  return `\n${lines.filter((line) => line !== "").join("\n")}\n`.toUpperCase();
}
