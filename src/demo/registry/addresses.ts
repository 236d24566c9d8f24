import type { Address } from "../../contract/resources.ts";
import { known } from "../../lib/values.ts";
import { at, type Random } from "./random.ts";
import { type DemoPlace, PLACES_BY_SIZE } from "./words/places.ts";
import { FOREIGN_PLACES, STREETS } from "./words/streets.ts";

/** Dutch postal codes do not use F, I, O, Q, U and Y, nor the pairs SA, SD and SS. */
const LETTERS = [..."ABCDEGHJKLMNPRSTVWXZ"];
const LETTER_PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (pair) => !["SA", "SD", "SS"].includes(pair),
);
/** Neighbouring house numbers that share a postal code. */
const HOUSES_PER_POSTAL_CODE = 24;
const ADDITIONS = ["1", "2", "3", "hs", "bis", "II", "III", "A", "B", "achter", "b1"];

/** Where a company is. The place is kept with the address because branches are often in the same place. */
export interface Location {
  readonly address: Address;
  /** Absent for an address abroad. */
  readonly place?: DemoPlace;
}

/** A random address in a place. The same street and number always have the same postal code. */
export function visitingAddress(random: Random, place = random.pick(PLACES_BY_SIZE)): Required<Location> {
  const streetIndex = random.below(STREETS.length);
  const spread = random.fraction();
  const houseNumber = 1 + Math.floor(spread * spread * 380);
  return {
    address: {
      street: at(STREETS, streetIndex),
      houseNumber: withLetters(houseNumber, random),
      postalCode: postalCode(place, streetIndex, Math.floor(houseNumber / HOUSES_PER_POSTAL_CODE)),
      city: place.name,
      country: "NL",
    },
    place,
  };
}

/** `17`, `17M`, `3-A`, `17M-2` */
function withLetters(houseNumber: number, random: Random): string {
  const letter = random.chance(0.08) ? random.pick(["A", "B", "C", "D", "M", "a"]) : "";
  const addition = random.chance(0.07) ? `-${random.pick(ADDITIONS)}` : "";
  return `${houseNumber}${letter}${addition}`;
}

function postalCode(place: DemoPlace, streetIndex: number, block: number): string {
  const inPlace = scatter(place.index * 65_599 + streetIndex);
  const digits = place.from + (inPlace % (place.to - place.from + 1));
  return `${digits} ${at(LETTER_PAIRS, scatter(inPlace + block) % LETTER_PAIRS.length)}`;
}

/** Spreads neighbouring numbers over the 32-bit range: the finaliser of MurmurHash3 (public domain). */
function scatter(number: number): number {
  let word = number | 0;
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** A PO box, with a postal code in the first range of its place. */
export function postBox(random: Random): Required<Location> {
  const place = random.pick(PLACES_BY_SIZE);
  const number = random.between(1, 9_999);
  const letters = at(LETTER_PAIRS, scatter(number) % LETTER_PAIRS.length);
  return {
    address: {
      street: "Postbus",
      houseNumber: String(number),
      postalCode: `${place.from} ${letters}`,
      city: place.name,
      country: "NL",
    },
    place,
  };
}

/** An address abroad: street and number as the country writes them, without a postal code. */
export function foreignAddress(random: Random): Location {
  const { city, country, streets } = random.pick(FOREIGN_PLACES);
  const street = random.pick(streets).replace("#", String(random.between(1, 240)));
  return { address: { street, city, country } };
}

/** The visible part of a shielded address. */
export function shielded({ city, country }: Address): Address {
  return { ...known("city", city), ...known("country", country), isShielded: true };
}
