import type { EnrichedFound } from "../company/views.ts";
import { vatNumberOfRsin } from "../contract/numbers.ts";
import type { Company } from "../contract/resources.ts";
import type { Vat } from "../contract/vatResources.ts";
import { type CheckedVatNumber, isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";
import type { Verdict } from "../vat/verdicts/verdict.ts";

/** The VAT number of an enriched company. */
export interface CompanyVatNumber {
  readonly number: CheckedVatNumber;
  readonly origin: Vat["origin"];
}

/**
 * The registry's own number, else `NL` + RSIN + `B01`, which is the number of a legal person outside a fiscal unit;
 * undefined when neither is known.
 */
export function vatNumberOf({ company, vatNumber }: EnrichedFound): CompanyVatNumber | undefined {
  if (vatNumber !== undefined) {
    const number = parseVatNumber(vatNumber);
    if (isVatNumber(number)) return { number, origin: "registry" };
  }
  if (company.rsin === undefined) return undefined;
  const number = parseVatNumber(vatNumberOfRsin(company.rsin));
  if (!isVatNumber(number) || number.check.isMalformed) return undefined;
  return { number, origin: "rsin" };
}

/**
 * Adds the verdict on its number to an enriched company. A derived number that VIES refuses is reported as such: the
 * company may be in a fiscal unit, which has another number. `source.vies` is present exactly when `vat` is, with its
 * status.
 */
export function withVerdict(
  company: Company,
  { number, origin }: CompanyVatNumber,
  verdict: Verdict,
): Company {
  const vat: Vat = {
    number: number.vatNumber,
    status: verdict.status,
    checksumValid: verdict.checksumValid,
    origin,
    ...("valid" in verdict && { valid: verdict.valid }),
    ...("validatedAt" in verdict && { validatedAt: verdict.validatedAt }),
    ...("ageSeconds" in verdict && verdict.ageSeconds !== undefined && { ageSeconds: verdict.ageSeconds }),
  };
  const { source } = company;
  return { ...company, vat, ...(source !== undefined && { source: { ...source, vies: verdict.status } }) };
}
