/**
 * Our own form of a file: one company a line, JSON, exactly the contract's Company plus `branches` and `vatNumber`.
 * Export writes it, import reads it, and so does anything that can write JSON.
 */
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { hideShielded, kindOf } from "../company/address.ts";
import { COUNTRY_CODES, parseCountry } from "../company/country.ts";
import { isDay, parseInstant } from "../company/dates.ts";
import { ENDED_DESPITE_STATUS, parseEnding } from "../company/ending.ts";
import type { CompanyFacts, FactsAddress, FactsBranch, SourcedFacts } from "../company/facts.ts";
import { geoOf, located, shownBranch } from "../company/geo.ts";
import { PLACEHOLDER, type Rejection } from "../company/rejection.ts";
import { EmployeesSchema } from "../contract/employeesResource.ts";
import { StatedIdentifiersSchema } from "../contract/identifiers.ts";
import { LocationSchema } from "../contract/location.ts";
import { PLACEHOLDER_KVK_NUMBER, parseKvkNumber, parseLei } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import {
  ActivitySchema,
  type Address,
  AddressSchema,
  type Branch,
  BranchSchema,
  type Company,
  CompanySchema,
  PLAIN_FACTS,
  SourceSchema,
} from "../contract/resources.ts";
import { isJsonObject, known, tidy } from "../lib/values.ts";
import { firstBrokenRule } from "./brokenRule.ts";

/** The content of a line. */
type LineContent = Omit<CompanyFacts, "kvkNumber" | "address" | "branches"> &
  Pick<Company, "kvkNumber" | "address" | "location" | "bagId" | "source"> & {
    readonly branches?: readonly Branch[];
  };

const JsonlCompanySchema = Type.Object(
  {
    ...CompanySchema.properties,
    address: Type.Optional(AddressSchema),
    branches: Type.Optional(Type.Array(BranchSchema)),
    identifiers: Type.Optional(StatedIdentifiersSchema),
    vatNumber: Type.Optional(Type.String({ pattern: "^[A-Z]{2}[A-Z0-9+*]{2,12}$" })),
    /** Ignored, so that a response of the API can be imported: these are no facts of the same origin. */
    vat: Type.Optional(Type.Unknown()),
    insolvency: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
type ParsedLine = Static<typeof JsonlCompanySchema>;

/** The origins of the contract; `import:` is followed by a name that `cleanName` could have made. */
const ORIGIN = /^(kvk-api|gleif|demo|import:[a-z0-9][a-z0-9._-]{0,63})$/;

/** The source of a line: `origin` and `asOf` of its facts. */
export interface LineSource {
  readonly origin: string;
  readonly asOf: string;
}

/** The facts that a line states as they are. */
const STATED_FACTS = [
  ...PLAIN_FACTS.filter((fact) => fact !== "kvkNumber" && fact !== "deregistrationDate"),
  ...(["employees", "activities", "vatNumber"] as const),
];

/** The keys of a line in their order. */
const LINE_KEYS = new Set<keyof LineContent>([
  ...(["kvkNumber", "name", "tradingNames", "statutoryName", "legalForm", "address"] as const),
  ...(["location", "bagId", "isActive"] as const),
  ...(["registrationDate", "deregistrationDate", "activities", "rsin", "vatNumber", "nonMailing"] as const),
  ...(["employees", "websites", "mainBranchNumber", "branchCount", ...PLAIN_FACTS] as const),
  ...(["identifiers", "branches", "source"] as const),
]);

/** Formats a company as one line, without the line break. Keys have a fixed order; unknown values have no key. */
export function formatJsonLine(company: LineContent): string {
  const line: Record<string, unknown> = {};
  for (const key of LINE_KEYS) line[key] = company[key];
  // The other identifiers follow from other keys.
  const { lei, leiStatus, leiRenewalDue } = company.identifiers ?? {};
  line["identifiers"] = lei === undefined ? undefined : { lei, leiStatus, leiRenewalDue };
  return JSON.stringify(line);
}

/** Formats the facts of one origin as one line. */
export function formatFacts({ facts, origin, asOf }: SourcedFacts): string {
  const { kind: _kind, geo, ...address } = facts.address ?? {};
  const { branches, ...rest } = facts;
  return formatJsonLine({
    ...{ ...rest, address, ...geo },
    ...known("branches", branches?.map(shownBranch)),
    source: { kvk: origin, cachedAt: asOf },
  });
}

export interface ParsedCompany {
  readonly facts: CompanyFacts;
  readonly source?: LineSource;
  /** Values that were changed or left out. */
  readonly leftOut?: readonly Rejection[];
}

const compileLine = () =>
  Compile(
    {
      "Address#": AddressSchema,
      "Activity#": ActivitySchema,
      "Employees#": EmployeesSchema,
      "Source#": SourceSchema,
      "Location#": LocationSchema,
    },
    JsonlCompanySchema,
  );
let validator: ReturnType<typeof compileLine> | undefined;

/** White space other than a space, control characters, and invisible characters (see tidy). */
const BLANK = /[^\S ]|[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f]/;

/** Whether a text of the line may be empty or untidy. Never misses one, and is rarely wrong about an export. */
function isPerhapsUntidy(line: string): boolean {
  return (
    line.includes("\\") ||
    line.includes('""') ||
    line.includes("  ") ||
    line.includes(' "') ||
    line.includes('" ') ||
    BLANK.test(line)
  );
}

/**
 * Reads one line strictly: an unknown key, a null, an empty text, a date that does not exist or a number of the wrong
 * form is rejected, and the reason names the field. Runs of white space and control characters become one space, and
 * are removed at the ends. A PO box is a correspondence address, any other a visiting address. Of a shielded address
 * only city and country are kept.
 */
export function parseJsonLine(line: string): ParsedCompany | Rejection {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return { reason: "the line is not JSON" };
  }
  validator ??= compileLine();
  if (!validator.Check(parsed)) return firstBrokenRule(validator.Errors(parsed), parsed);
  const empty: string[] = [];
  // Few lines need the walk through their texts.
  const company = isPerhapsUntidy(line) ? tidied(parsed, (path) => empty.push(path)) : parsed;
  if (empty.length > 0) return { reason: `${empty[0]} is empty; leave out what is not known` };
  const { source } = company;
  const leftOut: Rejection[] = [];
  const facts = factsOf(company, leftOut);
  if ("reason" in facts) return facts;
  const read = leftOut.length === 0 ? { facts } : { facts, leftOut };
  if (source === undefined) return read;
  const asOf = parseInstant(source.cachedAt);
  if (asOf === undefined) return { reason: "source.cachedAt must be an ISO 8601 date or time with its zone" };
  if (!ORIGIN.test(source.kvk)) {
    return { reason: "source.kvk must be kvk-api, gleif, demo or import:<name>" };
  }
  return { ...read, source: { origin: source.kvk, asOf } };
}

function factsOf(line: ParsedLine, leftOut: Rejection[]): CompanyFacts | Rejection {
  const kvkNumber = parseKvkNumber(line.kvkNumber);
  if (kvkNumber === undefined) return { reason: "kvkNumber must be eight digits" };
  if (kvkNumber === PLACEHOLDER_KVK_NUMBER) return PLACEHOLDER;
  for (const key of ["registrationDate", "deregistrationDate", "startDate"] as const) {
    const day = line[key];
    if (day !== undefined && !isDay(day))
      return { reason: `${key} must be a day that exists, as YYYY-MM-DD` };
  }
  const { address, branches } = line;
  const facts: { -readonly [Key in keyof CompanyFacts]: CompanyFacts[Key] } = {
    kvkNumber,
    name: line.name,
    isActive: line.isActive,
  };
  if (address !== undefined && Object.keys(address).length > 0)
    facts.address = addressOf(line, address, leftOut);
  // Field by field: spreading the rest of an object takes ten times as long.
  const stated: Partial<Record<keyof CompanyFacts, unknown>> = facts;
  const others: readonly string[] = line.source?.openData?.fields ?? [];
  for (const fact of STATED_FACTS) {
    if (line[fact] !== undefined && !others.includes(fact)) stated[fact] = line[fact];
  }
  if (line.identifiers?.lei !== undefined) {
    const { lei, leiStatus, leiRenewalDue } = line.identifiers;
    if (parseLei(lei) === undefined) return { reason: "identifiers.lei must have the right check digits" };
    if (leiRenewalDue !== undefined && !isDay(leiRenewalDue))
      return { reason: "identifiers.leiRenewalDue must be a day that exists, as YYYY-MM-DD" };
    facts.identifiers = { lei, ...known("leiStatus", leiStatus), ...known("leiRenewalDue", leiRenewalDue) };
  }
  if (line.deregistrationDate !== undefined) setEnding(facts, line.deregistrationDate, leftOut);
  if (branches !== undefined) facts.branches = branches.map(factsBranch);
  return facts;
}

function addressOf({ location, bagId }: ParsedLine, address: Address, leftOut: Rejection[]): FactsAddress {
  const kind = kindOf(address);
  const geo = geoOf(location?.latitude, location?.longitude, bagId);
  return located({ ...hideShielded(withKnownCountry(address, leftOut)), kind }, kind, geo);
}

/** Replaces common codes that ISO does not assign (`UK`), and leaves out any other unassigned one. */
function withKnownCountry(address: Address, leftOut: Rejection[]): Address {
  const { country, ...rest } = address;
  if (country === undefined || COUNTRY_CODES.has(country)) return address;
  const code = parseCountry(country);
  if (code === undefined) leftOut.push({ reason: "a country that no rule maps", detail: quoted(country) });
  return code === undefined ? rest : { ...rest, country: code };
}

/** A past date makes a company inactive, whatever its status. A date that means "no end" is omitted. */
function setEnding(
  facts: { isActive: boolean; deregistrationDate?: string },
  date: string,
  leftOut: Rejection[],
): void {
  const ending = parseEnding(date);
  if (ending?.day !== undefined) facts.deregistrationDate = ending.day;
  if (ending?.isUnclear) leftOut.push({ reason: "a value that is no deregistrationDate", detail: date });
  if (!facts.isActive || ending?.isOver !== true) return;
  facts.isActive = false;
  leftOut.push({ reason: ENDED_DESPITE_STATUS, detail: date });
}

/**
 * Tidies each text in `value`, as {@link tidy} does.
 * @param onEmpty called with the path of each text that is empty then
 */
function tidied<Value>(value: Value, onEmpty: (path: string) => void, path = ""): Value {
  const inside = (inner: unknown, key: string) => tidied(inner, onEmpty, key);
  let part: unknown = value;
  if (typeof value === "string") {
    part = tidy(value) ?? "";
    if (part === "") onEmpty(path);
  } else if (Array.isArray(value)) part = value.map((inner) => inside(inner, `${path}[]`));
  else if (isJsonObject(value)) {
    const entries = Object.entries(value);
    part = Object.fromEntries(
      entries.map(([key, inner]) => [key, inside(inner, path === "" ? key : `${path}.${key}`)]),
    );
  }
  // The cast: texts stay texts, and the structure stays the same.
  return part as Value;
}

/** The branch with its place in its address, and without a country. */
function factsBranch({ location, bagId, ...branch }: Branch): FactsBranch {
  if (branch.address === undefined) return branch;
  const { country: _country, ...address } = hideShielded(branch.address);
  const geo = geoOf(location?.latitude, location?.longitude, bagId);
  return { ...branch, address: located(address, kindOf(address), geo) };
}
