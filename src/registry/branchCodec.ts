import { hideShielded } from "../company/address.ts";
import type { CompanyFacts, FactsAddress } from "../company/facts.ts";
import type { Address, Branch } from "../contract/resources.ts";

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
];

/** Branches as the compact JSON of a row. */
export function encodeBranches(branches: readonly Branch[], company: CompanyFacts): string {
  return JSON.stringify(branches.map((branch) => packBranch(branch, company)));
}

function packBranch(
  { branchNumber, name, isMain, isActive, address }: Branch,
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
  return [
    branchNumber,
    flags,
    shownName,
    address.street ?? 0,
    address.houseNumber ?? 0,
    address.postalCode ?? 0,
    address.city ?? 0,
  ];
}

/** Whether branch and company have the same address, ignoring the country, which branches do not have. */
function isSamePlace(branch: Address, company: FactsAddress | undefined): boolean {
  return (
    company !== undefined &&
    branch.street === company.street &&
    branch.houseNumber === company.houseNumber &&
    branch.postalCode === company.postalCode &&
    branch.city === company.city &&
    branch.isShielded === company.isShielded
  );
}

/** Decodes what {@link encodeBranches} wrote, with name and address of the company of the same row. */
export function decodeBranches(
  json: string,
  companyName: string,
  companyAddress: Address | undefined,
): Branch[] {
  return (JSON.parse(json) as PackedBranch[]).map((packed) =>
    unpackBranch(packed, companyName, companyAddress),
  );
}

function unpackBranch(
  packed: PackedBranch,
  companyName: string,
  companyAddress: Address | undefined,
): Branch {
  const [branchNumber, flags, name, street, houseNumber, postalCode, city] = packed;
  const branch: Branch = {
    branchNumber,
    isMain: (flags & BRANCH_FLAGS.main) !== 0,
    isActive: (flags & BRANCH_FLAGS.active) !== 0,
  };
  if (flags & BRANCH_FLAGS.ownName) branch.name = companyName;
  else if (typeof name === "string") branch.name = name;
  if (flags & BRANCH_FLAGS.atCompany && companyAddress !== undefined) {
    const { country: _country, ...address } = companyAddress;
    branch.address = address;
  } else if (flags & BRANCH_FLAGS.hasAddress) {
    const address: Address = {};
    if (typeof street === "string") address.street = street;
    if (typeof houseNumber === "string") address.houseNumber = houseNumber;
    if (typeof postalCode === "string") address.postalCode = postalCode;
    if (typeof city === "string") address.city = city;
    if (flags & BRANCH_FLAGS.shielded) address.isShielded = true;
    branch.address = hideShielded(address, (flags & BRANCH_FLAGS.checkedCity) !== 0);
  }
  return branch;
}
