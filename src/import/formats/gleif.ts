import { kindOf, parsePostalCode } from "../../company/address.ts";
import { parseCityText } from "../../company/addressText.ts";
import { parseCountry } from "../../company/country.ts";
import { isDay, parseInstant } from "../../company/dates.ts";
import type { FactsAddress } from "../../company/facts.ts";
import { ELF_CODES, parseLegalForm } from "../../company/legalForm.ts";
import { PLACEHOLDER, type Rejection, unplacedPart } from "../../company/rejection.ts";
import {
  addToNumber,
  type OnUnplaced,
  parseHouseNumber,
  type StreetAndNumber,
  splitStreetLines,
  withSeparateNumber,
} from "../../company/streetLine.ts";
import { isLeiStatus, type LeiFacts } from "../../contract/identifiers.ts";
import { kvkDigitsOf } from "../../contract/kvkNumberText.ts";
import type { LegalForm } from "../../contract/legalForms.ts";
import { PLACEHOLDER_KVK_NUMBER, parseKvkNumber, parseLei } from "../../contract/numbers.ts";
import { quoted } from "../../contract/quoting.ts";
import { known, tidy } from "../../lib/values.ts";
import { ImportRefused, type RecordResult } from "../outcome.ts";
import { readCsv } from "../records/csv.ts";
import { type FormatContext, NO_DATE, skipped, used } from "./format.ts";

/** GLEIF's code of the Dutch registry, the Handelsregister. */
const DUTCH_REGISTRY = "RA000463";
const AUTHORITY = "Entity.RegistrationAuthority.RegistrationAuthorityID";
const NUMBER = "Entity.RegistrationAuthority.RegistrationAuthorityEntityID";
const NAME = "Entity.LegalName";
const STATUS = "Entity.EntityStatus";
const FORM = "Entity.LegalForm.EntityLegalFormCode";
const OTHER_FORM = "Entity.LegalForm.OtherLegalForm";
const CATEGORY = "Entity.EntityCategory";
const JURISDICTION = "Entity.LegalJurisdiction";
const ADDRESS = "Entity.LegalAddress.";
const UPDATED = "Registration.LastUpdateDate";
const REGISTRATION = "Registration.RegistrationStatus";
const RENEWAL = "Registration.NextRenewalDate";
/** Statuses of records that were made by mistake or twice, and say nothing about the company. */
const WITHDRAWN: ReadonlySet<string> = new Set(["DUPLICATE", "ANNULLED", "CANCELLED", "PENDING_VALIDATION"]);
const REQUIRED = ["LEI", NAME, AUTHORITY, NUMBER, STATUS, UPDATED, `${ADDRESS}City`, `${ADDRESS}Country`];

type Cell = (column: string) => string | undefined;

/**
 * Reads the LEI golden copy as CSV. Rows of other registries are skipped unread.
 * @throws {ImportRefused} when the columns differ from the golden copy
 */
export async function* readGleif({ input, asOf, onUnended }: FormatContext): AsyncGenerator<RecordResult> {
  let others = 0;
  const csv = await readCsv(input.chunks, {
    encoding: "utf8",
    only: Buffer.from(DUTCH_REGISTRY),
    onUnended,
    onOther: () => {
      others += 1;
    },
  });
  const missing = REQUIRED.filter((column) => csv?.header.includes(column) !== true);
  if (csv === undefined || missing.length > 0) {
    throw new ImportRefused(
      `${input.shownName} is not the LEI golden copy as CSV: ${csv === undefined ? "it has no header" : `it lacks the column ${missing[0]}`}. ` +
        "Expected is GLEIF's “lei2” file in CSV; for other tables use the format csv.",
    );
  }
  const position = new Map(csv.header.map((column, index) => [column, index]));
  for await (const row of csv.rows) {
    if (others > 0) yield { kind: "outside", rows: others };
    others = 0;
    if (!("cells" in row)) {
      yield skipped(row.line, row.rejection, row.record);
      continue;
    }
    const { cells } = row;
    const cell: Cell = (column) => tidy(cells[position.get(column) ?? -1] ?? "");
    if (cell(AUTHORITY) !== DUTCH_REGISTRY) yield { kind: "outside", rows: 1 };
    else yield outcomeOf(row.line, row.record, cell, asOf);
  }
  if (others > 0) yield { kind: "outside", rows: others };
}

/**
 * - EntityStatus says whether the company is active. RegistrationStatus is about the LEI: LAPSED means a fee unpaid.
 * - EntityCreationDate is the day the entity came to exist, often long before it was registered, and
 *   EntityExpirationDate the day it ceased to: neither is a date of the register, so both stay out.
 * - EntityCategory FUND: the KVK number may belong to the company that manages the fund.
 * - Activities, branches and trading names are unknown here, which is not the same as none.
 */
function outcomeOf(line: number, record: string, cell: Cell, fallbackAsOf: string | undefined): RecordResult {
  const leftOut: Rejection[] = [];
  const lei = `LEI ${cell("LEI") ?? "missing"}`;
  const skip = (reason: string, value?: string) =>
    skipped(line, { reason, detail: value === undefined ? lei : `${lei}: ${quoted(value)}` }, record);
  const number = cell(NUMBER);
  if (number === undefined) return skip("has no KVK number");
  const kvkNumber = parseKvkNumber(kvkDigitsOf(number));
  if (kvkNumber === undefined) return skip("the KVK number is not eight digits", number);
  if (kvkNumber === PLACEHOLDER_KVK_NUMBER) return skip(PLACEHOLDER.reason);
  const name = cell(NAME);
  if (name === undefined) return skip("has no name");
  const status = cell(STATUS);
  if (status !== "ACTIVE" && status !== "INACTIVE") {
    return skip("EntityStatus is neither ACTIVE nor INACTIVE", status ?? "");
  }
  if (WITHDRAWN.has(cell(REGISTRATION) ?? "")) return skip("a withdrawn LEI record", cell(REGISTRATION));
  const asOf = parseInstant(cell(UPDATED) ?? "") ?? fallbackAsOf;
  if (asOf === undefined) return skipped(line, NO_DATE, record);
  const facts = {
    kvkNumber,
    name,
    isActive: status === "ACTIVE",
    ...known("address", mapAddress(cell, leftOut)),
    ...known("legalForm", mapLegalForm(cell, leftOut)),
    ...known("identifiers", mapLei(cell, leftOut)),
  };
  const isFund = cell(CATEGORY) === "FUND";
  return used(line, { origin: "gleif", asOf, facts, ...(isFund && { isFund }) }, leftOut);
}

/** The LEI with its status and the day of its renewal, as written. Without a valid LEI they say nothing. */
function mapLei(cell: Cell, leftOut: Rejection[]): LeiFacts | undefined {
  const text = cell("LEI") ?? "";
  const lei = parseLei(text);
  if (lei === undefined) {
    leftOut.push({ reason: "an LEI of another form or with wrong check digits", detail: quoted(text) });
    return undefined;
  }
  const status = cell(REGISTRATION);
  const leiStatus = status?.toLowerCase() ?? "";
  const isStatus = isLeiStatus(leiStatus);
  if (status !== undefined && !isStatus)
    leftOut.push({ reason: "a status of an LEI that no rule maps", detail: quoted(status) });
  const renewal = cell(RENEWAL);
  const leiRenewalDue = renewal?.slice(0, 10) ?? "";
  const isRenewal = isDay(leiRenewalDue);
  if (renewal !== undefined && !isRenewal)
    leftOut.push({ reason: "a renewal date of an LEI that is no date", detail: quoted(renewal) });
  return { lei, ...(isStatus && { leiStatus }), ...(isRenewal && { leiRenewalDue }) };
}

/** `8888` means that no code fits and a text is given instead, `9999` that the form is unknown. */
function mapLegalForm(cell: Cell, leftOut: Rejection[]): LegalForm | undefined {
  const code = cell(FORM);
  const text = cell(OTHER_FORM);
  if (code === undefined || code === "9999") return undefined;
  // A code may be a key that every object has, such as `constructor`.
  const ofCode = Object.hasOwn(ELF_CODES, code) ? ELF_CODES[code] : undefined;
  const form = code === "8888" ? parseLegalForm(text ?? "") : ofCode;
  if (form !== undefined) return form === "none" ? undefined : form;
  // A company of foreign law that does business in the Netherlands has a code of its own country.
  const jurisdiction = cell(JURISDICTION);
  if (jurisdiction !== undefined && !jurisdiction.startsWith("NL")) return "BUI";
  leftOut.push({
    reason: "a legal form that no rule maps",
    detail: quoted(code === "8888" ? (text ?? code) : code),
  });
  return undefined;
}

/** The legal address. A company in the Dutch register may have it abroad; then it is kept as given. */
function mapAddress(cell: Cell, leftOut: Rejection[]): FactsAddress | undefined {
  const part = (name: string) => cell(`${ADDRESS}${name}`);
  const lines = [
    "FirstAddressLine",
    "AdditionalAddressLine.1",
    "AdditionalAddressLine.2",
    "AdditionalAddressLine.3",
  ]
    .map(part)
    .filter((text) => text !== undefined);
  const land = part("Country");
  const country = parseCountry(land ?? "");
  if (land !== undefined && country === undefined) {
    leftOut.push({ reason: "a country that no rule maps", detail: quoted(land) });
  }
  const onUnplaced = (text: string) => leftOut.push(unplacedPart(text));
  const inCity = parseCityText(part("City") ?? "", country, onUnplaced);
  const isDutch =
    country === undefined
      ? (parsePostalCode(part("PostalCode") ?? "") ?? inCity.postalCode) !== undefined
      : country === "NL";
  const number = part("AddressNumber");
  const street = isDutch ? withNumber(lines, cell, onUnplaced) : asGiven(lines, number);
  const text = part("PostalCode");
  const found = text === undefined ? inCity.postalCode : parsePostalCode(text);
  const postalCode = isDutch ? found : undefined;
  if (isDutch && text !== undefined && postalCode === undefined) {
    leftOut.push({ reason: "a Dutch postal code of another form", detail: quoted(text) });
  }
  const address = {
    ...street,
    ...known("postalCode", postalCode),
    ...known("city", inCity.city),
    ...known("country", country ?? (isDutch ? "NL" : undefined)),
  };
  return Object.keys(address).length === 0 ? undefined : { ...address, kind: kindOf(address) };
}

/** Reads the street from the lines, with the numbers that have their own columns. */
function withNumber(
  lines: readonly string[],
  cell: Cell,
  onUnplaced: OnUnplaced,
): StreetAndNumber | undefined {
  const split = splitStreetLines(lines, onUnplaced);
  if (split === undefined) return undefined;
  const own = parseHouseNumber(cell(`${ADDRESS}AddressNumber`) ?? "", onUnplaced);
  const numbered = own === undefined ? split : withSeparateNumber(split, own);
  const within = cell(`${ADDRESS}AddressNumberWithinBuilding`);
  const { street, houseNumber } = numbered;
  if (within === undefined || houseNumber === undefined || kindOf(numbered) !== "visiting") return numbered;
  const whole = addToNumber(houseNumber, within);
  if (whole === undefined) onUnplaced(within);
  return { street, houseNumber: whole ?? houseNumber };
}

/** An address abroad: in one line, with the number where the lines lack it. */
function asGiven(lines: readonly string[], number: string | undefined): StreetAndNumber | undefined {
  if (lines.length === 0) return undefined;
  const street = lines.join(", ");
  const holdsNumber = number === undefined || street.split(/[\s,]+/).includes(number);
  return { street: holdsNumber ? street : `${street} ${number}` };
}
