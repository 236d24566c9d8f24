import { BAG_ID_PATTERN, BOUNDS, type Location } from "../contract/location.ts";
import type { Branch } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import type { FactsAddress, FactsBranch, Geo, LocatedAddress } from "./facts.ts";

const BAG_ID = new RegExp(BAG_ID_PATTERN);

export function isBagId(text: string): boolean {
  return BAG_ID.test(text);
}

/** Whether a value may be the latitude or longitude of a place in the European Netherlands. */
export function isDegrees(value: unknown, axis: keyof Location): value is number {
  const { minimum, maximum } = BOUNDS[axis];
  return typeof value === "number" && value >= minimum && value <= maximum;
}

/** The location of an address and its id in the BAG, if either is known. Half a location is none. */
export function geoOf(latitude?: number, longitude?: number, bagId?: string): Geo | undefined {
  if (latitude === undefined || longitude === undefined) return bagId === undefined ? undefined : { bagId };
  return {
    location: { latitude: rounded(latitude), longitude: rounded(longitude) },
    ...known("bagId", bagId),
  };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** An address with its place. A shielded address, one for correspondence and an empty one have none. */
export function located<Given extends LocatedAddress>(
  address: Given,
  kind: FactsAddress["kind"],
  geo?: Geo,
): Given {
  const hasPlace = address.isShielded !== true && kind === "visiting" && Object.keys(address).length > 0;
  return geo !== undefined && hasPlace ? { ...address, geo } : address;
}

/** A branch as it is returned. */
export function shownBranch({ address, ...branch }: FactsBranch): Branch {
  if (address === undefined) return branch;
  const { geo, ...shown } = address;
  return { ...branch, address: shown, ...geo };
}
