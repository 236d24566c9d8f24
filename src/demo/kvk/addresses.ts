import { PO_BOX_STREET } from "../../company/address.ts";
import type { FactsAddress, Geo, LocatedAddress } from "../../company/facts.ts";
import type { Address } from "../../contract/resources.ts";
import { type JsonObject, known } from "../../lib/values.ts";

const COUNTRIES = new Intl.DisplayNames("nl", { type: "region" });
/** KVK pads its one-line texts between street and city. */
const PADDING = " ".repeat(25);

/** An address in the form of the profiles. */
export function adresOf(address: LocatedAddress, kind: "visiting" | "correspondence"): JsonObject {
  const type = kind === "visiting" ? "bezoekadres" : "correspondentieadres";
  const indAfgeschermd = address.isShielded === true ? "Ja" : "Nee";
  const land = COUNTRIES.of(address.country ?? "NL") ?? "Nederland";
  const volledigAdres = fullText(address);
  if (address.isShielded === true) return { type, indAfgeschermd, ...known("plaats", address.city), land };
  if (isAbroad(address)) {
    return {
      type,
      indAfgeschermd,
      ...known("volledigAdres", volledigAdres),
      ...known("straatHuisnummer", address.street),
      ...known("postcodeWoonplaats", address.city),
      land,
    };
  }
  const isBox = address.street === PO_BOX_STREET;
  return {
    type: isBox ? "correspondentieadres" : type,
    indAfgeschermd,
    ...known("volledigAdres", volledigAdres),
    ...known("straatnaam", address.street),
    ...(isBox ? { postbusnummer: Number(address.houseNumber) } : houseNumberOf(address)),
    ...known("postcode", address.postalCode?.replace(" ", "")),
    ...known("plaats", address.city),
    land,
    ...known("geoData", address.geo && geoDataOf(address.geo)),
  };
}

/** KVK sends more: the id of the number and the position in the national grid. */
function geoDataOf({ location, bagId }: Geo): JsonObject {
  return {
    ...known("addresseerbaarObjectId", bagId),
    ...known("gpsLatitude", location?.latitude),
    ...known("gpsLongitude", location?.longitude),
  };
}

/** An address in the form of Zoeken, which shows neither house number nor postal code. */
export function zoekenAdresOf(address: FactsAddress): JsonObject {
  const { street, city } = address;
  const isVisiting = address.kind === "visiting" && street !== PO_BOX_STREET;
  const type = isVisiting ? "bezoekadres" : "postadres";
  if (!isAbroad(address)) {
    const straatnaam = isVisiting ? street : undefined;
    return { binnenlandsAdres: { type, ...known("straatnaam", straatnaam), ...known("plaats", city) } };
  }
  return {
    buitenlandsAdres: {
      type,
      ...known("straatHuisnummer", street),
      ...known("postcodeWoonplaats", city),
      ...known("land", COUNTRIES.of(address.country ?? "NL")),
    },
  };
}

/** An address as the one-line text of a list of branches; undefined when nothing may be shown. */
export function fullText(address: Address): string | undefined {
  if (address.isShielded === true) return undefined;
  const { huisnummer, huisletter, huisnummerToevoeging } = houseNumberOf(address);
  const number = isAbroad(address) ? [] : [huisnummer, huisletter, huisnummerToevoeging];
  const street = [address.street, ...number].filter((part) => part !== undefined).join(" ");
  const city = [address.postalCode?.replace(" ", ""), address.city]
    .filter((part) => part !== undefined)
    .join(" ");
  if (street === "") return city === "" ? undefined : city;
  return isAbroad(address) ? `${street}, ${city}` : `${street}${PADDING}${city}`;
}

function isAbroad({ country = "NL" }: Address): boolean {
  return country !== "NL";
}

interface HouseNumber {
  readonly huisnummer?: number;
  readonly huisletter?: string;
  readonly huisnummerToevoeging?: string;
}

/** The parts of `17M-2`. */
function houseNumberOf({ houseNumber }: Address): HouseNumber {
  const parts = /^([0-9]+)([A-Za-z]?)(?:-(.+))?$/.exec(houseNumber ?? "");
  if (parts === null) return {};
  return {
    huisnummer: Number(parts[1]),
    ...known("huisletter", parts[2] === "" ? undefined : parts[2]),
    ...known("huisnummerToevoeging", parts[3]),
  };
}
