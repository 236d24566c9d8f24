import { isDeepStrictEqual } from "node:util";
import { hideShielded } from "../company/address.ts";
import type { CompanyFacts, FactsAddress, FactsBranch, Geo, LocatedAddress } from "../company/facts.ts";
import { geoOf, located } from "../company/geo.ts";
import type { Address } from "../contract/resources.ts";

/** Bits of the number that follows the branch number. */
const BRANCH_FLAGS = {
  active: 1,
  main: 2,
  hasAddress: 4,
  shielded: 8,
  atCompany: 16,
  ownName: 32,
  /** See FLAGS. */
  checkedCity: 64,
} as const;

/** Absent names and address parts are 0. Those equal to the company's are omitted and flagged. */
type PackedBranch = readonly [
  number: string,
  flags: number,
  name?: string | 0,
  street?: string | 0,
  house?: string | 0,
  postal?: string | 0,
  city?: string | 0,
  geo?: PackedGeo,
];

/** The place of an address: latitude and longitude, or 0 and 0, then the id in the BAG, or 0. */
export type PackedGeo = readonly [latitude: number, longitude: number, bagId: string | 0];

export function packGeo({ location, bagId }: Geo): PackedGeo {
  return [location?.latitude ?? 0, location?.longitude ?? 0, bagId ?? 0];
}

export function unpackGeo([latitude, longitude, bagId]: PackedGeo): Geo | undefined {
  return geoOf(latitude || undefined, longitude || undefined, bagId || undefined);
}

/** Branches as the compact JSON of a row. */
export function encodeBranches(branches: readonly FactsBranch[], company: CompanyFacts): string {
  return JSON.stringify(branches.map((branch) => packBranch(branch, company)));
}

function packBranch(
  { branchNumber, name, isMain, isActive, address }: FactsBranch,
  company: CompanyFacts,
): PackedBranch {
  const isOwnName = name === company.name;
  const isAtCompany = address !== undefined && isSamePlace(address, company.address);
  const flags =
    (isActive ? BRANCH_FLAGS.active : 0) |
    (isMain ? BRANCH_FLAGS.main : 0) |
    (address === undefined ? 0 : BRANCH_FLAGS.hasAddress) |
    (address?.isShielded === true ? BRANCH_FLAGS.shielded | BRANCH_FLAGS.checkedCity : 0) |
    (isAtCompany ? BRANCH_FLAGS.atCompany : 0) |
    (isOwnName ? BRANCH_FLAGS.ownName : 0);
  const shownName = isOwnName ? 0 : (name ?? 0);
  if (address === undefined || isAtCompany)
    return shownName === 0 ? [branchNumber, flags] : [branchNumber, flags, shownName];
  const packed = [
    branchNumber,
    flags,
    shownName,
    address.street ?? 0,
    address.houseNumber ?? 0,
    address.postalCode ?? 0,
    address.city ?? 0,
  ] as const;
  return address.geo === undefined ? packed : [...packed, packGeo(address.geo)];
}

/** Whether branch and company have the same address, ignoring the country, which branches do not have. */
function isSamePlace(branch: LocatedAddress, company: FactsAddress | undefined): boolean {
  return (
    company !== undefined &&
    branch.street === company.street &&
    branch.houseNumber === company.houseNumber &&
    branch.postalCode === company.postalCode &&
    branch.city === company.city &&
    branch.isShielded === company.isShielded &&
    isDeepStrictEqual(branch.geo, company.geo)
  );
}

/** Decodes what {@link encodeBranches} wrote, with name and address of the company of the same row. */
export function decodeBranches(
  json: string,
  companyName: string,
  companyAddress: FactsAddress | undefined,
): FactsBranch[] {
  return (JSON.parse(json) as PackedBranch[]).map((packed) =>
    unpackBranch(packed, companyName, companyAddress),
  );
}

function unpackBranch(
  packed: PackedBranch,
  companyName: string,
  companyAddress: FactsAddress | undefined,
): FactsBranch {
  const [branchNumber, flags, name, street, houseNumber, postalCode, city, geo] = packed;
  const branch: FactsBranch = {
    branchNumber,
    isMain: (flags & BRANCH_FLAGS.main) !== 0,
    isActive: (flags & BRANCH_FLAGS.active) !== 0,
  };
  if (flags & BRANCH_FLAGS.ownName) branch.name = companyName;
  else if (typeof name === "string") branch.name = name;
  if (flags & BRANCH_FLAGS.atCompany && companyAddress !== undefined) {
    const { country: _country, kind: _kind, ...address } = companyAddress;
    branch.address = address;
  } else if (flags & BRANCH_FLAGS.hasAddress) {
    const address: Address = {};
    if (typeof street === "string") address.street = street;
    if (typeof houseNumber === "string") address.houseNumber = houseNumber;
    if (typeof postalCode === "string") address.postalCode = postalCode;
    if (typeof city === "string") address.city = city;
    if (flags & BRANCH_FLAGS.shielded) address.isShielded = true;
    const shown = hideShielded(address, (flags & BRANCH_FLAGS.checkedCity) !== 0);
    branch.address = geo === undefined ? shown : located(shown, "visiting", unpackGeo(geo));
  }
  return branch;
}
