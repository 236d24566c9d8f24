import { Type } from "typebox";
import { enrichedCharge } from "../../contract/enrichedCharge.ts";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { type Company, CompanySchema, refTo } from "../../contract/resources.ts";
import { keyed } from "../endpoint.ts";
import { deliver, inMs } from "./delivering.ts";
import { KvkNumberParameter, MaxAgeParameter, VatMaxAgeParameter } from "./shared.ts";

/** One company by its KVK number, basic or enriched. */
export const lookup = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber",
  operation: "lookup",
  tag: "Companies",
  isConditional: true,
  summary: "Look up one company",
  description: `A basic lookup (${PRICES.lookup} token) returns kvkNumber, name, address and isActive, and registrationDate and source where known. An enriched lookup (${PRICES["lookup.enriched"]} tokens) returns all known data, including the verdict on the VAT number; it costs ${PRICE_WITHOUT_ENRICHMENT} when neither activities nor a verdict could be added.`,
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    querystring: Type.Object({
      enrich: Type.Boolean({
        default: false,
        description: "Return all known data of the company.",
        examples: [true],
      }),
      maxAge: MaxAgeParameter,
      vatMaxAge: VatMaxAgeParameter,
    }),
    response: refTo<Company>(CompanySchema),
  },
  cost: ({ query }) => {
    const operation = query.enrich ? "lookup.enriched" : "lookup";
    return { operation, price: PRICES[operation] };
  },
  handler: ({ params: { kvkNumber }, query }, { lookup: companies }) => {
    const maxAgeMs = inMs(query.maxAge);
    if (!query.enrich) {
      const basic = companies.basic(kvkNumber, maxAgeMs);
      return deliver(basic, (company) => ({ charge: PRICES.lookup, body: company }));
    }
    const enriched = companies.enriched(kvkNumber, { maxAgeMs, vatMaxAgeMs: inMs(query.vatMaxAge) });
    return deliver(enriched, (company) => ({ charge: enrichedCharge(company), body: company }));
  },
});
