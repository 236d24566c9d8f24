import { createHash } from "node:crypto";
import type { StateCode } from "../../vat/numbers/states.ts";

/** A trader as its state's registry knows it, whether or not VIES shows it. */
export interface Trader {
  readonly name: string;
  readonly street: string;
  readonly houseNumber: number;
  readonly postalCode: string;
  readonly city: string;
}

const FIRST_WORDS = ["Imaginary", "Fictional", "Invented", "Pretended", "Made-up", "Storybook"];
const SECOND_WORDS = ["Lantern", "Harbour", "Clockwork", "Orchard", "Compass", "Umbrella", "Teapot"];
const STREETS = ["Nowhere Street", "Example Lane", "Sample Road", "Invention Square"];
const CITIES = ["Fabletown", "Sampleville", "Exampleham", "Mockford"];

/** One number in four is not registered. */
const SHARE_UNREGISTERED = 4;

/**
 * The trader behind a number of its state's form, or undefined when it is not registered: about three of four are, and everything
 * follows from a hash of the number, so that it is the same in every run. A wrong checksum does not matter: real
 * registries hold numbers that the published checksums refuse. The names are plainly made up.
 */
export function traderOf(countryCode: StateCode, national: string): Trader | undefined {
  const hash = hashOf(countryCode, national);
  return hash.readUInt16BE(0) % SHARE_UNREGISTERED === 0 ? undefined : madeUp(hash);
}

/** A trader for a number that is registered in any case. */
export function madeUpTrader(countryCode: StateCode, national: string): Trader {
  return madeUp(hashOf(countryCode, national));
}

function hashOf(countryCode: StateCode, national: string): Buffer {
  return createHash("sha256").update(`${countryCode} ${national}`).digest();
}

function madeUp(hash: Buffer): Trader {
  const draw = (at: number, most: number) => hash.readUInt16BE(at) % most;
  const pick = (at: number, words: readonly string[]) => words[draw(at, words.length)] ?? "";
  return {
    name: `${pick(2, FIRST_WORDS)} ${pick(4, SECOND_WORDS)} ${1_000 + draw(6, 9_000)}`,
    street: pick(8, STREETS),
    houseNumber: 1 + draw(10, 250),
    postalCode: String(10_000 + draw(12, 90_000)),
    city: pick(14, CITIES),
  };
}
