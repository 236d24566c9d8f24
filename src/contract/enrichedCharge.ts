import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "./prices.ts";
import type { Company } from "./resources.ts";

/** The price of an enriched company: less when neither activities nor a verdict could be added. */
export function enrichedCharge({ activities, vat }: Company): number {
  const hasVerdict = vat !== undefined && vat.status !== "unvalidated";
  return activities === undefined && !hasVerdict ? PRICE_WITHOUT_ENRICHMENT : PRICES["lookup.enriched"];
}

/** The rule of {@link enrichedCharge} in words. */
export const ENRICHED_RULE = `enriched ${PRICES["lookup.enriched"]}, or ${PRICE_WITHOUT_ENRICHMENT} if neither activities nor a VAT verdict is added`;
