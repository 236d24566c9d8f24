import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "./prices.ts";
import type { Company } from "./resources.ts";

/** The price of an enriched company: less without activities and verdict, more with an answer of Peppol. */
export function enrichedCharge({ activities, vat, peppol }: Company): number {
  const hasVerdict = vat !== undefined && vat.status !== "unvalidated";
  const charge =
    activities === undefined && !hasVerdict ? PRICE_WITHOUT_ENRICHMENT : PRICES["lookup.enriched"];
  return charge + (peppol === undefined ? 0 : PRICES.peppol);
}

/** The rule of {@link enrichedCharge} in words. */
export const ENRICHED_RULE = `enriched ${PRICES["lookup.enriched"]}, or ${PRICE_WITHOUT_ENRICHMENT} if neither activities nor a VAT verdict is added`;
