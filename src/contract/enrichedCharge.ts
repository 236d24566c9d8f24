import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "./prices.ts";
import type { Company } from "./resources.ts";

/** The price of an enriched company: less when neither activities nor a verdict could be added. */
export function enrichedCharge({ activities, vat }: Company): number {
  const hasVerdict = vat !== undefined && vat.status !== "unvalidated";
  return activities === undefined && !hasVerdict ? PRICE_WITHOUT_ENRICHMENT : PRICES["lookup.enriched"];
}
