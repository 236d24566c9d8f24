import type { Address } from "../../contract/resources.ts";
import { DECIMALS, known } from "../../lib/values.ts";
import { formatHouseNumber, hideShielded, kindOf, parsePostalCode } from "../address.ts";
import { parseAddressText, parseCityText } from "../addressText.ts";
import { parseCountry } from "../country.ts";
import type { FactsAddress, Geo } from "../facts.ts";
import { geoOf, isBagId, isDegrees, located } from "../geo.ts";
import { unplacedPart } from "../rejection.ts";
import {
  addToNumber,
  isPostal,
  type OnUnplaced,
  parseHouseNumber,
  postalAddress,
  splitStreet,
  withSeparateNumber,
} from "../streetLine.ts";
import type { TableRow } from "./row.ts";

/** The address of a row, out of columns for its parts, one column for all of it, or both. */
export function mapAddress(row: TableRow): FactsAddress | undefined {
  const written = row.parsed("country", parseCountry);
  const isDutch = hasDutchPostalCode(row);
  // People write the country, the postal code, or all of the address, into the city's cell.
  const shielded = isShielded(row);
  const onUnplaced = (text: string) => row.leftOut.push(unplacedPart(text, shielded));
  const unplaced: string[] = [];
  const inCell = parseCityText(row.text("city") ?? "", written ?? (isDutch ? "NL" : undefined), (text) =>
    unplaced.push(text),
  );
  for (const text of unplaced) onUnplaced(text);
  const named = written ?? inCell.country;
  const line = row.text("address");
  // With a Dutch postal code, an unknown country does not make the address foreign.
  const isForeign = named === undefined ? row.text("country") !== undefined && !isDutch : named !== "NL";
  const open = isForeign
    ? foreign(row, line)
    : dutch(
        row,
        line === undefined
          ? inCell
          : { ...known("postalCode", inCell.postalCode), ...parseAddressText(line, onUnplaced) },
        onUnplaced,
      );
  const country = named ?? open.country;
  // An address in one text does not show which part is the city: people write the parts in any order.
  const isWholeCity = inCell.postalCode === undefined && unplaced.length === 0;
  const address = shielded
    ? hideShielded({
        ...known("city", isWholeCity ? inCell.city : undefined),
        ...known("country", country),
        isShielded: true,
      })
    : { ...open, ...known("city", inCell.city ?? open.city), ...known("country", country) };
  if (Object.keys(address).length === 0) return undefined;
  const kind = kindOf(address);
  return located({ ...address, kind }, kind, shielded ? undefined : geoIn(row));
}

function geoIn(row: TableRow): Geo | undefined {
  const degrees = (axis: "latitude" | "longitude") =>
    row.parsed(axis, (text) => {
      const value = Number(text.replace(",", "."));
      return isDegrees(value, axis) ? value : undefined;
    });
  const bagId = row.parsed("bagId", (text) => (isBagId(text) ? text : undefined));
  return geoOf(degrees("latitude"), degrees("longitude"), bagId);
}

function hasDutchPostalCode(row: TableRow): boolean {
  const given = row.text("postalCode");
  return (
    (given !== undefined && parsePostalCode(given) !== undefined) ||
    parseAddressText(row.text("address") ?? "").postalCode !== undefined ||
    parseCityText(row.text("city") ?? "").postalCode !== undefined
  );
}

/** People at a shielded address may be in danger, so any unknown value means yes. */
function isShielded(row: TableRow): boolean {
  return row.yesNo("isShielded") ?? row.text("isShielded") !== undefined;
}

/** Street and number as given, in one text (contract §2). */
function foreign(row: TableRow, whole: string | undefined): Address {
  const parts = [
    row.text("street"),
    row.text("houseNumber"),
    row.text("houseLetter"),
    row.text("houseNumberAddition"),
  ];
  const street = whole ?? parts.filter((part) => part !== undefined).join(" ");
  return street === "" ? {} : { street };
}

function dutch(row: TableRow, whole: Address, onUnplaced: OnUnplaced): Address {
  const given = row.text("postalCode");
  const postalCode = given === undefined ? whole.postalCode : row.parsed("postalCode", parsePostalCode);
  return {
    ...streetOf(row, whole, onUnplaced),
    ...known("postalCode", postalCode),
    ...known("city", whole.city),
    ...known("country", postalCode === undefined ? whole.country : "NL"),
  };
}

/** Reads street and number from their columns, or one column for both; a PO box when there is no street. */
function streetOf(row: TableRow, whole: Address, onUnplaced: OnUnplaced): Address {
  const line = row.text("street");
  const split =
    line === undefined
      ? { ...known("street", whole.street), ...known("houseNumber", whole.houseNumber) }
      : splitStreet(line, onUnplaced);
  const { street, houseNumber } = split;
  const isBox = street !== undefined && isPostal(street);
  if (isBox && houseNumber !== undefined) return split;
  const box = row.text("poBox") ?? (isBox ? row.text("houseNumber") : undefined);
  if (box !== undefined && (street === undefined || isBox)) return postalAddress(box, street);
  const own = ownNumber(row, onUnplaced);
  if (street === undefined || own === undefined) return split;
  return withSeparateNumber({ street, ...known("houseNumber", houseNumber) }, own);
}

/** The house number of the columns for it; the letter and the addition may stand in the first one too. */
function ownNumber(row: TableRow, onUnplaced: OnUnplaced): string | undefined {
  const number = row.parsed("houseNumber", (text) => parseHouseNumber(text, onUnplaced));
  if (number === undefined) return undefined;
  const letter = row.text("houseLetter") ?? "";
  const lettered = /^[0-9]+$/.test(number) ? formatHouseNumber(number, letter) : number;
  const addition = row.text("houseNumberAddition")?.replace(DECIMALS, "") ?? "";
  if (lettered.endsWith(addition)) return lettered;
  return row.expect("houseNumberAddition", addToNumber(lettered, addition), addition) ?? lettered;
}
