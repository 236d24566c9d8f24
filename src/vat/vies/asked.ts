import { compactVat, type VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";

/** Other codes that stand for a state: Greece by its ISO code, Northern Ireland by that of before 2021. */
const OTHER_CODES: Partial<Record<StateCode, string>> = { EL: "GR", XI: "GB" };

/**
 * Whether an answer names a number that is not the one that was asked. VIES repeats what it was sent; who stands between may have written it otherwise:
 * case, separators, leading zeros and a country code before the number make no other number of it. A part that is absent
 * or empty names nothing; one that is neither text nor a number cannot be the one that was asked.
 */
export function namesAnother(
  { countryCode, vatNumber }: Readonly<Record<string, unknown>>,
  asked: VatNumber,
): boolean {
  const other = OTHER_CODES[asked.countryCode];
  const codes = other === undefined ? [asked.countryCode] : [asked.countryCode, other];
  const code = compactOf(countryCode);
  const number = compactOf(vatNumber);
  const isState = code === "" || codes.some((one) => one === code);
  const national = unpadded(asked.national);
  const isNumber =
    number === "" ||
    ["", ...codes].some(
      (prefix) => number?.startsWith(prefix) === true && unpadded(number.slice(prefix.length)) === national,
    );
  return !(isState && isNumber);
}

/** Empty for what is absent or withheld (`---`); undefined for what is no text. */
function compactOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  return typeof value === "string" || typeof value === "number" ? compactVat(String(value)) : undefined;
}

function unpadded(national: string): string {
  return national.replace(/^0+/, "");
}
