import { type ActivitySource, versionOf, withVersions } from "../company/activities.ts";
import { hideShielded } from "../company/address.ts";
import type { CompanyFacts, SourcedFacts } from "../company/facts.ts";
import { located } from "../company/geo.ts";
import { SBI_VERSIONS } from "../contract/activities.ts";
import type { Employees } from "../contract/employeesResource.ts";
import { isLegalForm } from "../contract/legalForms.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import { type Activity, type Address, PLAIN_FACTS, type PlainFact } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import { decodeBranches, encodeBranches, type PackedGeo, packGeo, unpackGeo } from "./branchCodec.ts";
import type { Interner } from "./interner.ts";

/**
 * Bits of the column `flags`. The address of a row is shielded, or a correspondence address instead of a visiting one.
 */
export const FLAGS = {
  active: 1,
  hasAddress: 2,
  shielded: 4,
  correspondence: 8,
  /** More than one origin knows the company: the row of each is in the table `facts`. */
  merged: 16,
  /** The facts of a fund; see SourcedFacts. */
  fund: 32,
  /** The city of the shielded address was found to be a place; without it, it may be more. */
  checkedCity: 64,
  /** Active until a date of deregistration that was in the future when the row was written. */
  ends: 128,
} as const;

type Text = string | null;

/** Positions in a {@link CompanyRow}. */
export const AT = { flags: 2, origin: 10, asOf: 11 } as const;

/** A company in the order of COMPANY_COLUMNS. */
export type CompanyRow = readonly [
  kvk: number,
  name: string,
  flags: number,
  street: Text,
  house: Text,
  postal: Text,
  city: Text,
  country: Text,
  registered: Text,
  form: Text,
  origin: number,
  asOf: number,
  rest: Text,
  branches: Text,
];

/**
 * The facts in the column `rest`, with their keys. Unknown values have no key; a further fact has its name as its key.
 */
const REST = new Map<PlainFact | "vatNumber" | "identifiers" | "employees" | "activities", string>([
  ["tradingNames", "t"],
  ["statutoryName", "s"],
  ["rsin", "r"],
  ["vatNumber", "v"],
  ["identifiers", "i"],
  ["nonMailing", "n"],
  ["employees", "e"],
  ["mainBranchNumber", "m"],
  ["branchCount", "c"],
  ["websites", "w"],
  ["deregistrationDate", "d"],
  ["activities", "a"],
]);
const OWN_COLUMNS: readonly PlainFact[] = [
  ...(["kvkNumber", "name", "isActive", "registrationDate", "legalForm"] as const),
];
for (const fact of PLAIN_FACTS) {
  if (!OWN_COLUMNS.includes(fact) && !REST.has(fact)) REST.set(fact, fact);
}

const PACKED_VERSIONS = [undefined, ...SBI_VERSIONS];

/** The column `rest`, as far as its facts are packed. */
interface Rest {
  [key: string]: unknown;
  /** The statutory name; 1 if it is the same as the name. */
  s?: string | 1;
  n?: 0 | 1;
  e?: PackedEmployees;
  a?: readonly PackedActivity[];
  /** The place of the address. */
  g?: PackedGeo;
  /** The versions of the activities, by their places in PACKED_VERSIONS, unless the rest of the row implies them. */
  av?: readonly number[];
}

/** The total alone, or total, full time and part time; null where one is unknown. */
type PackedEmployees =
  | number
  | readonly [total: number | null, fullTime: number | null, partTime: number | null];

/**
 * Twice the activity's number in the table `activity`, plus 1 for the main one; written in full when there are too many
 * to number.
 */
type PackedActivity = number | readonly [code: string, description: string | 0, isMain: 0 | 1];

/** `isMerged`: the facts are of several origins. */
interface RowSource extends Omit<SourcedFacts, "facts"> {
  readonly isMerged?: true;
}

/** Encodes facts as a row. They must be clean; see cleanFacts. @throws {RangeError} when `asOf` is not a date */
export function encodeFacts(facts: CompanyFacts, source: RowSource, interner: Interner): CompanyRow {
  const { address } = facts;
  return [
    Number(facts.kvkNumber),
    facts.name,
    flagsOf(facts, source),
    address?.street ?? null,
    address?.houseNumber ?? null,
    address?.postalCode ?? null,
    address?.city ?? null,
    address?.country ?? null,
    facts.registrationDate ?? null,
    facts.legalForm ?? null,
    interner.origin(source.origin),
    instantOf(source),
    encodeRest(facts, interner, activitySource(source)),
    facts.branches === undefined ? null : encodeBranches(facts.branches, facts),
  ];
}

/** The column `flags` of a row. */
function flagsOf(
  { isActive, address, deregistrationDate }: CompanyFacts,
  { isFund, isMerged }: RowSource,
): number {
  return (
    (isActive ? FLAGS.active : 0) |
    (isActive && deregistrationDate !== undefined ? FLAGS.ends : 0) |
    (address === undefined ? 0 : FLAGS.hasAddress) |
    (address?.isShielded === true ? FLAGS.shielded | FLAGS.checkedCity : 0) |
    (address?.kind === "correspondence" ? FLAGS.correspondence : 0) |
    (isFund === true ? FLAGS.fund : 0) |
    (isMerged === true ? FLAGS.merged : 0)
  );
}

function activitySource({ isMerged, origin, asOf }: RowSource): ActivitySource | undefined {
  return isMerged === true ? undefined : { origin, asOfMs: Date.parse(asOf) };
}

/** The column `asOf` of a row: Unix milliseconds. @throws {RangeError} when it is not a date */
function instantOf({ origin, asOf }: Pick<SourcedFacts, "origin" | "asOf">): number {
  const instant = Date.parse(asOf);
  if (Number.isNaN(instant))
    throw new RangeError(`the date of the data of ${origin} is not an ISO 8601 date`);
  return instant;
}

type Writable = { -readonly [Key in keyof CompanyFacts]: CompanyFacts[Key] };

/** Decodes the result of {@link encodeFacts}. */
export function decodeFacts(row: CompanyRow, interner: Interner): CompanyFacts {
  const [kvk, name, flags, , , , , , registered, form, origin, asOfMs, rest, branches] = row;
  const address = decodeAddress(row);
  const facts: Writable = {
    kvkNumber: kvkNumberOf(kvk),
    name,
    isActive: (flags & FLAGS.active) !== 0,
  };
  if (address !== undefined) {
    facts.address = { ...address, kind: flags & FLAGS.correspondence ? "correspondence" : "visiting" };
  }
  if (registered !== null) facts.registrationDate = registered;
  if (form !== null && isLegalForm(form)) facts.legalForm = form;
  if (rest !== null) decodeRest(rest, facts, interner);
  if (branches !== null) facts.branches = decodeBranches(branches, name, facts.address);
  if (facts.activities === undefined) return facts;
  const isMerged = (flags & FLAGS.merged) !== 0;
  return withVersions(facts, isMerged ? undefined : { origin: interner.originName(origin), asOfMs });
}

/** Decodes a row with its origin and date. */
export function sourcedFactsOf(row: CompanyRow, interner: Interner): SourcedFacts {
  return {
    origin: interner.originName(row[AT.origin]),
    asOf: new Date(row[AT.asOf]).toISOString(),
    facts: decodeFacts(row, interner),
    ...((row[AT.flags] & FLAGS.fund) !== 0 && { isFund: true }),
  };
}

/** Decodes the address of a row; undefined when no origin gave one. */
export function decodeAddress(row: CompanyRow): Address | undefined {
  const [, , flags, street, house, postal, city, country] = row;
  if ((flags & FLAGS.hasAddress) === 0) return undefined;
  const address: Address = {};
  if (street !== null) address.street = street;
  if (house !== null) address.houseNumber = house;
  if (postal !== null) address.postalCode = postal;
  if (city !== null) address.city = city;
  if (country !== null) address.country = country;
  if (flags & FLAGS.shielded) address.isShielded = true;
  return hideShielded(address, (flags & FLAGS.checkedCity) !== 0);
}

/** Encodes the column `rest`; null when all of its fields are unknown. */
function encodeRest(facts: CompanyFacts, interner: Interner, source: ActivitySource | undefined): Text {
  const rest: Rest = {};
  for (const [fact, key] of REST) {
    if (facts[fact] !== undefined) rest[key] = facts[fact];
  }
  const { name, statutoryName, nonMailing, employees, activities, address } = facts;
  if (statutoryName === name) rest.s = 1;
  if (nonMailing !== undefined) rest.n = nonMailing ? 1 : 0;
  if (employees !== undefined) rest.e = packEmployees(employees);
  if (address?.geo !== undefined) rest.g = packGeo(address.geo);
  if (activities !== undefined) {
    rest.a = activities.map((one) => packActivity(one, interner));
    const isImplied = (one: Activity) =>
      one.sbiVersion === undefined || one.sbiVersion === versionOf(one, source);
    if (!activities.every(isImplied))
      rest.av = activities.map(({ sbiVersion }) => PACKED_VERSIONS.indexOf(sbiVersion));
  }
  const json = JSON.stringify(rest);
  return json === "{}" ? null : json;
}

function packActivity(activity: Activity, interner: Interner): PackedActivity {
  const main = activity.isMain ? 1 : 0;
  const number = interner.kind(activity);
  return number === undefined ? [activity.sbiCode, activity.description ?? 0, main] : number * 2 + main;
}

function decodeRest(json: string, facts: Writable, interner: Interner): void {
  const rest = JSON.parse(json) as Rest;
  const packed: Partial<Record<keyof CompanyFacts, unknown>> = facts;
  for (const [fact, key] of REST) {
    if (rest[key] !== undefined) packed[fact] = rest[key];
  }
  if (rest.s === 1) facts.statutoryName = facts.name;
  if (rest.n !== undefined) facts.nonMailing = rest.n === 1;
  if (rest.e !== undefined) facts.employees = unpackEmployees(rest.e);
  const { address } = facts;
  if (rest.g !== undefined && address !== undefined) {
    facts.address = located(address, address.kind, unpackGeo(rest.g));
  }
  const { a: activities, av: versions = [] } = rest;
  if (activities === undefined) return;
  facts.activities = activities.map((packed, nth) => ({
    ...unpackActivity(packed, interner),
    ...known("sbiVersion", PACKED_VERSIONS[versions[nth] ?? 0]),
  }));
}

function packEmployees({ total, fullTime, partTime }: Employees): PackedEmployees {
  return fullTime === undefined && partTime === undefined && total !== undefined
    ? total
    : [total ?? null, fullTime ?? null, partTime ?? null];
}

function unpackEmployees(packed: PackedEmployees): Employees {
  if (typeof packed === "number") return { total: packed };
  const [total, fullTime, partTime] = packed;
  const employees: Employees = {};
  if (total !== null) employees.total = total;
  if (fullTime !== null) employees.fullTime = fullTime;
  if (partTime !== null) employees.partTime = partTime;
  return employees;
}

function unpackActivity(packed: PackedActivity, interner: Interner): Activity {
  if (typeof packed === "number") return { ...interner.kindOf(packed >> 1), isMain: (packed & 1) === 1 };
  const [sbiCode, description, isMain] = packed;
  return description === 0
    ? { sbiCode, isMain: isMain === 1 }
    : { sbiCode, description, isMain: isMain === 1 };
}
