import type { StateCode } from "../../vat/numbers/states.ts";
import type { Trader } from "./registry.ts";

/** What VIES says of a name or an address that it does not show. */
export const WITHHELD = "---";

/** Germany and Spain confirm a number and show nothing of the trader. */
export function showsTraders(countryCode: StateCode): boolean {
  return countryCode !== "DE" && countryCode !== "ES";
}

/**
 * An address in the form that the Dutch registry gives to VIES: in capitals, breaks around it, the house number of five
 * digits, the postal code without its space.
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

interface DutchAddress {
  readonly street: string;
  readonly houseNumber: string;
  readonly postalCode: string;
  readonly city: string;
}

type Shape = (trader: Trader) => string;
const twoLines: Shape = ({ street, houseNumber, postalCode, city }) =>
  `${street} ${houseNumber}\n${postalCode} ${city}`;
const oneLine: Shape = ({ street, houseNumber, postalCode, city }) =>
  `${street} ${houseNumber}, ${city}, ${postalCode}`;

/** How the registries of some states write an address, as recorded; the others have two lines. */
const SHAPES: Readonly<Partial<Record<StateCode, Shape>>> = {
  AT: (trader) => twoLines({ ...trader, postalCode: `AT-${trader.postalCode.slice(0, 4)}` }),
  CZ: ({ street, houseNumber, postalCode, city }) => {
    const [place, code] = [city.toUpperCase(), `${postalCode.slice(0, 3)} ${postalCode.slice(3)}`];
    return `${street} ${houseNumber}/2\n${place} - MOCK\n${code}  ${place}`;
  },
  DK: (trader) => `${twoLines({ ...trader, postalCode: trader.postalCode.slice(0, 4) })}\n`,
  IE: oneLine,
  LV: (trader) => oneLine({ ...trader, postalCode: `LV-${trader.postalCode.slice(0, 4)}` }),
  NL: ({ street, houseNumber, postalCode, city }) =>
    dutchAddress({
      street,
      houseNumber: String(houseNumber),
      postalCode: `${postalCode.slice(0, 4)} XX`,
      city,
    }),
  PL: (trader) => {
    const { postalCode } = trader;
    return twoLines({
      ...trader,
      postalCode: `${postalCode.slice(0, 2)}-${postalCode.slice(2)}`,
    }).toUpperCase();
  },
  PT: ({ street, houseNumber, postalCode, city }) => {
    const code = `${postalCode.slice(0, 4)}-${postalCode.slice(1, 4)}`;
    return `${street} N ${houseNumber}\n${city}\n${code} ${city}`.toUpperCase();
  },
};

/** Name and address as VIES shows them for a state: in the recorded shape, `---` where the state withholds them. */
export function shownBy(countryCode: StateCode, trader: Trader): { name: string; address: string } {
  if (!showsTraders(countryCode)) return { name: WITHHELD, address: WITHHELD };
  const shape = SHAPES[countryCode] ?? twoLines;
  const name = countryCode === "NL" || countryCode === "PL" ? trader.name.toUpperCase() : trader.name;
  return { name, address: shape(trader) };
}
