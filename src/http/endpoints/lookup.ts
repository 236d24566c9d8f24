import { Type } from "typebox";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { type Company, CompanySchema, refTo } from "../../contract/resources.ts";
import { keyed } from "../endpoint.ts";
import { currentSnapshot, KvkNumberParameter, notFound } from "./shared.ts";

/** One company by its KVK number, basic or enriched. */
export const lookup = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber",
  operation: "lookup",
  tag: "Companies",
  summary: "Look up one company",
  description: `A basic lookup (${PRICES.lookup} token) gives kvkNumber, name, address and isActive, and registrationDate and source where known. An enriched one (${PRICES["lookup.enriched"]} tokens) gives all that is known; it costs ${PRICE_WITHOUT_ENRICHMENT} when nothing could be added.`,
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    querystring: Type.Object({
      enrich: Type.Boolean({
        default: false,
        description: "Give all that is known of the company.",
        examples: [true],
      }),
    }),
    response: refTo<Company>(CompanySchema),
  },
  cost: ({ query }) => {
    const operation = query.enrich ? "lookup.enriched" : "lookup";
    return { operation, price: PRICES[operation] };
  },
  handler: ({ params, query }, services) => {
    const snapshot = currentSnapshot(services);
    if (!query.enrich) {
      const company = snapshot.basic(params.kvkNumber);
      if (company === undefined) throw notFound(params.kvkNumber);
      return { charge: PRICES.lookup, body: company };
    }
    const found = snapshot.enriched(params.kvkNumber);
    if (found === undefined) throw notFound(params.kvkNumber);
    return { charge: enrichedCharge(found.company), body: found.company };
  },
});

/** What an enriched company costs: less when its origin holds no activities, which is what enriching adds. */
export function enrichedCharge(company: Company): number {
  return company.activities === undefined ? PRICE_WITHOUT_ENRICHMENT : PRICES["lookup.enriched"];
}
