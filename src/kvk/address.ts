import { formatHouseNumber, hideShielded, parsePostalCode } from "../company/address.ts";
import { parseAddressText, parseCityText } from "../company/addressText.ts";
import { parseCountry, splitCountry } from "../company/country.ts";
import type { LocatedAddress } from "../company/facts.ts";
import { located } from "../company/geo.ts";
import {
  addToNumber,
  isPostal,
  postalAddress,
  splitStreet,
  withSeparateNumber,
} from "../company/streetLine.ts";
import type { Address } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import type { Adres } from "./wire.ts";

/** The first visiting address, else the first correspondence address. */
export function chooseAdres(adressen: readonly Adres[]): Adres | undefined {
  return adressen.find(({ kind }) => kind === "visiting") ?? adressen[0];
}

/** An address in the contract's form; only city and country of a shielded one. */
export function mapAdres(adres: Adres, isShielded = adres.isAfgeschermd): LocatedAddress {
  const address = mapUnshielded(adres);
  if (!isShielded) return located(address, adres.kind, adres.geo);
  // Only `plaats` is used: the other fields with a city contain more of the address.
  const { country } = address;
  const city = withoutCountry(adres.plaats, country);
  return hideShielded({ ...known("city", city), ...known("country", country), isShielded: true }, false);
}

/**
 * All of an address: from the two lines of foreign addresses, else from the separate fields, else from `volledigAdres`.
 */
function mapUnshielded(adres: Adres): Address {
  const country = adres.land === undefined ? undefined : parseCountry(adres.land);
  const lines = [adres.straatHuisnummer, adres.postcodeWoonplaats].filter((line) => line !== undefined);
  if (lines.length > 0) {
    // The two lines are meant for foreign addresses, but may contain a Dutch one.
    const inLines = parseAddressText(lines.join(", "));
    const isDutch = inLines.postalCode !== undefined && (country ?? "NL") === "NL";
    return isDutch ? inLines : mapForeign(adres, country);
  }
  if (isAbroad(adres, country)) return mapForeign(adres, country);
  const street = streetOf(adres);
  if (street.street === undefined && adres.plaats === undefined && adres.volledigAdres !== undefined) {
    return parseAddressText(adres.volledigAdres);
  }
  // `plaats` may contain the postal code and the country too.
  const inCity = parseCityText(adres.plaats ?? "", country ?? "NL");
  const postalCode = adres.postcode === undefined ? inCity.postalCode : parsePostalCode(adres.postcode);
  return {
    ...street,
    ...known("postalCode", postalCode),
    ...known("city", inCity.city),
    ...known("country", country ?? (postalCode === undefined ? undefined : "NL")),
  };
}

/** Addresses without a country are Dutch. So are addresses with an unknown country and a Dutch postal code. */
function isAbroad({ land, postcode = "" }: Adres, country: string | undefined): boolean {
  if (country !== undefined) return country !== "NL";
  return land !== undefined && parsePostalCode(postcode) === undefined;
}

function mapForeign(adres: Adres, country: string | undefined): Address {
  const { street: name, houseNumber } = streetOf(adres);
  const joined = [name, houseNumber].filter((part) => part !== undefined).join(" ");
  const street = adres.straatHuisnummer ?? (joined === "" ? undefined : joined);
  const city = withoutCountry(adres.postcodeWoonplaats ?? adres.plaats, country);
  return { ...known("street", street), ...known("city", city), ...known("country", country) };
}

function withoutCountry(city: string | undefined, country = "NL"): string | undefined {
  return city === undefined ? undefined : splitCountry(city, country).rest;
}

function streetOf(adres: Adres): { street?: string; houseNumber?: string } {
  if (adres.postbusnummer !== undefined && adres.huisnummer === undefined) {
    // Whether `straatnaam` is "Postbus" or "Antwoordnummer".
    const saysWhich = adres.straatnaam !== undefined && isPostal(adres.straatnaam);
    return postalAddress(adres.postbusnummer, saysWhich ? adres.straatnaam : undefined);
  }
  if (adres.straatnaam === undefined) return {};
  // The street may contain the house number too.
  const split = splitStreet(adres.straatnaam);
  if (adres.huisnummer === undefined) return split;
  const { huisnummer, huisletter, huisnummerToevoeging } = adres;
  const number = formatHouseNumber(String(huisnummer), huisletter);
  return withSeparateNumber(split, addToNumber(number, huisnummerToevoeging ?? "") ?? number);
}
