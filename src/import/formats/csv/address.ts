import {
  formatHouseNumber,
  hideShielded,
  kindOf,
  PO_BOX_STREET,
  parsePostalCode,
} from "../../../company/address.ts";
import { parseAddressText } from "../../../company/addressText.ts";
import { parseCountry } from "../../../company/country.ts";
import type { FactsAddress } from "../../../company/facts.ts";
import { parseHouseNumber, splitStreet } from "../../../company/streetLine.ts";
import type { Address } from "../../../contract/resources.ts";
import { known } from "../../../lib/values.ts";
import type { Row } from "./row.ts";

/** The address of a row, out of columns for its parts, one column for all of it, or both. */
export function mapAddress(row: Row): FactsAddress | undefined {
  const land = row.text("country");
  const named = land === undefined ? undefined : row.expect("country", parseCountry(land), land);
  const whole = row.text("address");
  // A country that nobody understands makes no foreign address of one with a Dutch postal code.
  const isForeign = named === undefined ? land !== undefined && !hasDutchPostalCode(row) : named !== "NL";
  const open = isForeign
    ? foreign(row, whole)
    : dutch(row, whole === undefined ? {} : parseAddressText(whole));
  const country = named ?? open.country;
  const city = row.text("city");
  // Of one text nobody knows what is the city: people write its parts in any order.
  const address = isShielded(row)
    ? hideShielded({ ...known("city", city), ...known("country", country), isShielded: true })
    : { ...open, ...known("city", city ?? open.city), ...known("country", country) };
  return Object.keys(address).length === 0 ? undefined : { ...address, kind: kindOf(address) };
}

function hasDutchPostalCode(row: Row): boolean {
  const given = row.text("postalCode");
  return (
    (given !== undefined && parsePostalCode(given) !== undefined) ||
    parseAddressText(row.text("address") ?? "").postalCode !== undefined
  );
}

/** Whoever lives at a shielded address may be in danger: a flag of unknown form is a yes. */
function isShielded(row: Row): boolean {
  return row.yesNo("isShielded") ?? row.text("isShielded") !== undefined;
}

/** Street and number as given, in one text (contract §2). */
function foreign(row: Row, whole: string | undefined): Address {
  const parts = [
    row.text("street"),
    row.text("houseNumber"),
    row.text("houseLetter"),
    row.text("houseNumberAddition"),
  ];
  const street = whole ?? parts.filter((part) => part !== undefined).join(" ");
  return street === "" ? {} : { street };
}

function dutch(row: Row, whole: Address): Address {
  const given = row.text("postalCode");
  const postalCode =
    given === undefined ? whole.postalCode : row.expect("postalCode", parsePostalCode(given), given);
  const box = row.text("poBox");
  const street = row.text("street");
  const split =
    box !== undefined && street === undefined
      ? splitStreet(`${PO_BOX_STREET} ${box.replace(/^\D+/, "")}`)
      : street === undefined
        ? { ...known("street", whole.street), ...known("houseNumber", whole.houseNumber) }
        : streetOf(row, street);
  return {
    ...split,
    ...known("postalCode", postalCode),
    ...known("city", whole.city),
    ...known("country", postalCode === undefined ? whole.country : "NL"),
  };
}

function streetOf(row: Row, street: string): { street: string; houseNumber?: string } {
  const number = row.text("houseNumber");
  if (number === undefined) return splitStreet(street);
  const letter = row.text("houseLetter");
  const addition = row.text("houseNumberAddition")?.replace(/^[-\s]+/, "");
  return { street, houseNumber: formatHouseNumber(parseHouseNumber(number) ?? number, letter, addition) };
}
