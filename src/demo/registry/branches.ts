import type { Branch } from "../../contract/resources.ts";
import { type Location, shielded, visitingAddress } from "./addresses.ts";
import type { BranchNumbers } from "./numbers.ts";
import { at, type Random } from "./random.ts";
import { brandName } from "./words/fantasy.ts";

const MAX_BRANCHES = 60;

export interface BranchedCompany {
  readonly spokenName: string;
  readonly tradingNames: readonly string[];
  readonly seat: Location;
  readonly isShielded: boolean;
  readonly isActive: boolean;
}

/** The number of branches besides the main one: usually one, for a few companies dozens. */
export function furtherBranches(random: Random): number {
  return Math.min(MAX_BRANCHES - 1, Math.floor((1 - random.fraction()) ** -0.8));
}

/** The main branch, then `further` others. A branch's address has no country. */
export function makeBranches(
  company: BranchedCompany,
  further: number,
  numbers: BranchNumbers,
  random: Random,
): readonly Branch[] {
  const branches: Branch[] = [mainBranch(company, numbers.next(random))];
  for (let index = 0; index < further; index++) {
    const isNear = company.seat.place !== undefined && random.chance(0.4);
    const { address, place } = isNear ? visitingAddress(random, company.seat.place) : visitingAddress(random);
    branches.push({
      branchNumber: numbers.next(random),
      name: branchName(company, place.name, random),
      isMain: false,
      address: withoutCountry(company.isShielded ? shielded(address) : address),
      isActive: company.isActive && !random.chance(0.04),
    });
  }
  return branches;
}

function mainBranch(company: BranchedCompany, branchNumber: string): Branch {
  const { address } = company.seat;
  return {
    branchNumber,
    name: company.tradingNames[0] ?? company.spokenName,
    isMain: true,
    address: withoutCountry(company.isShielded ? shielded(address) : address),
    isActive: company.isActive,
  };
}

function branchName({ spokenName, tradingNames }: BranchedCompany, place: string, random: Random): string {
  const draw = random.fraction();
  if (draw < 0.55) return `${spokenName} ${place}`;
  if (draw < 0.9 || tradingNames.length === 0) return spokenName;
  return draw < 0.97 ? at(tradingNames, random.below(tradingNames.length)) : brandName(random);
}

function withoutCountry<T extends { country?: string }>(address: T): Omit<T, "country"> {
  const { country: _, ...rest } = address;
  return rest;
}
