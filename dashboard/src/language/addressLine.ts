import type { Address } from "../../../src/contract/resources.ts";

/** Returns the known parts of an address on one line; undefined when there are none. */
export function addressLine({ street, houseNumber, postalCode, city, country }: Address): string | undefined {
  const line = [join(street, houseNumber), join(postalCode, city), country === "NL" ? undefined : country]
    .filter(Boolean)
    .join(", ");
  return line === "" ? undefined : line;
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}
