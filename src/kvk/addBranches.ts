import { hideShielded } from "../company/address.ts";
import type { CompanyFacts, FactsAddress, LocatedAddress } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import { isJsonObject, type JsonObject, known } from "../lib/values.ts";
import { branchAddress, branchesOf, readOwnVestigingen, showsMainAsShielded } from "./branches.ts";
import { readVestigingen, type Vestiging } from "./wire.ts";

/**
 * Adds the branches of the API's VestigingList to the facts of an earlier profile, which saves another call. An
 * unusable list leaves the facts as they are. Never throws.
 */
export function addBranches(
  facts: CompanyFacts,
  vestigingen: unknown,
): { facts: CompanyFacts; leftOut: readonly Rejection[] } {
  const leftOut: Rejection[] = [];
  const list = readOwnVestigingen(facts.kvkNumber, vestigingen, leftOut);
  if (list === undefined) return { facts, leftOut };
  const { mainBranchNumber } = facts;
  const isMainShielded =
    facts.address?.isShielded === true || showsMainAsShielded(list.vestigingen, mainBranchNumber);
  const address = isMainShielded ? hidden(facts.address) : facts.address;
  const row = list.vestigingen.find(({ vestigingsnummer }) => vestigingsnummer === mainBranchNumber);
  const owner = {
    isActive: facts.isActive,
    isMainShielded,
    ...(mainBranchNumber !== undefined && {
      main: { vestigingsnummer: mainBranchNumber, isBeeindigd: false },
    }),
    ...(address !== undefined && !isElsewhere(row, address) && { mainAddress: withoutKind(address) }),
  };
  const branches = branchesOf(owner, list, leftOut);
  return {
    facts: { ...facts, ...known("address", address), branches: branches.list, branchCount: branches.count },
    leftOut,
  };
}

/**
 * The branches without an address in the list or the facts, except shielded ones; their Vestigingsprofiel may have one.
 */
export function branchesWithoutAddress(facts: CompanyFacts, vestigingen: unknown): readonly string[] {
  return (readVestigingen(vestigingen, [])?.vestigingen ?? []).flatMap((row) => {
    const { vestigingsnummer: number } = row;
    const isMainBranch = number === facts.mainBranchNumber && facts.address !== undefined;
    if (number === undefined || isMainBranch || row.isAfgeschermd) return [];
    return branchAddress(row, false).city === undefined ? [number] : [];
  });
}

/** Replaces rows of a list by whole Vestigingsprofielen. A row that is shielded stays shielded. */
export function withProfiles(vestigingen: JsonObject, profiles: ReadonlyMap<string, JsonObject>): JsonObject {
  const rows: readonly unknown[] = Array.isArray(vestigingen.vestigingen) ? vestigingen.vestigingen : [];
  return {
    ...vestigingen,
    vestigingen: rows.map((row) => {
      const profile = isJsonObject(row) ? profileOf(row.vestigingsnummer, profiles) : undefined;
      return isJsonObject(row) && profile !== undefined ? { ...row, ...profile } : row;
    }),
  };
}

function profileOf(number: unknown, profiles: ReadonlyMap<string, JsonObject>): JsonObject | undefined {
  // `String({ toString: "" })` would throw.
  return typeof number === "string" || typeof number === "number" ? profiles.get(String(number)) : undefined;
}

/** A foreign city is omitted because its text contains the postal code. */
function hidden(address: FactsAddress | undefined): FactsAddress {
  if (address === undefined) return { isShielded: true, kind: "visiting" };
  if (address.isShielded) return address;
  const { city: _city, ...rest } = address;
  const isAbroad = address.country !== undefined && address.country !== "NL";
  return { ...hideShielded({ ...(isAbroad ? rest : address), isShielded: true }, false), kind: address.kind };
}

/** Whether the list gives another address for the main branch: the company's address is then its owner's. */
function isElsewhere(row: Vestiging | undefined, { postalCode }: FactsAddress): boolean {
  const listed = row === undefined ? undefined : branchAddress(row, false).postalCode;
  return listed !== undefined && postalCode !== undefined && listed !== postalCode;
}

function withoutKind({ kind: _kind, ...address }: FactsAddress): LocatedAddress {
  return address;
}
