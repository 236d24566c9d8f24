import type { Address } from "../../../../src/contract/resources.ts";

/** An address on one line, of what is known of it; undefined when that is nothing. */
export function addressLine({ street, houseNumber, postalCode, city, country }: Address): string | undefined {
  const line = [join(street, houseNumber), join(postalCode, city), country === "NL" ? undefined : country]
    .filter(Boolean)
    .join(", ");
  return line === "" ? undefined : line;
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}
