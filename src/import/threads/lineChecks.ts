/** Further conditions on a line that was read by its bytes: if one fails, `parseJsonLine` reads the line. */
import { isCertainCity } from "../../company/address.ts";
import { isYearOfEnd } from "../../company/ending.ts";
import {
  type AddressSpans,
  clearSpan,
  type FactsSpans,
  numberAt,
} from "../../snapshot/incoming/factsSpans.ts";

/** Of a shielded address the city is all that is left here. @returns false where that is not certainly one */
export function hideShielded(
  bytes: Uint8Array,
  { isShielded, street, houseNumber, postalCode, city }: AddressSpans,
): boolean {
  if (!isShielded) return true;
  clearSpan(street);
  clearSpan(houseNumber);
  clearSpan(postalCode);
  return city.from === city.to || isCertainCity(Buffer.from(bytes.subarray(city.from, city.to)).toString());
}

/** Whether nothing that a line says contradicts something else that it says. */
export function isAsWritten(spans: FactsSpans): boolean {
  const { bytes, isActive, deregistrationDate } = spans;
  const { from, to } = deregistrationDate;
  const isEndKnown = !isActive && isYearOfEnd(numberAt(bytes, { from, to: from + 4 }));
  return (from === to || isEndKnown) && areShieldedAlike(spans);
}

/** Whether the company and its main branch, which come first, are both shielded or both open; else they have to be cleaned. */
function areShieldedAlike({ address, branches }: FactsSpans): boolean {
  for (let nth = 0; nth < branches.count; nth++) {
    const branch = branches.at(nth);
    if (!branch.isMain) return true;
    if (branch.address.isKnown && branch.address.isShielded !== address.isShielded) return false;
  }
  return true;
}
