import { Type } from "typebox";
import { ENRICHED_RULE, enrichedCharge } from "../../contract/enrichedCharge.ts";
import { invalid } from "../../contract/errors.ts";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { type Company, CompanySchema, refTo } from "../../contract/resources.ts";
import { deliver } from "../../lookup/answer.ts";
import { keyed } from "../endpoint.ts";
import { inMs, KvkNumberParameter, MaxAgeParameter, oneOf, VatMaxAgeParameter } from "./shared.ts";

/** One company by its KVK number, basic or enriched. */
export const lookup = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber",
  operation: "lookup",
  tokens: `${PRICES.lookup}, ${ENRICHED_RULE}; ${PRICES.peppol} more with an answer of Peppol`,
  tag: "Companies",
  isConditional: true,
  summary: "Look up one company",
  description: `A basic lookup (${PRICES.lookup} token) returns kvkNumber, name, address and isActive, and registrationDate and source where known. An enriched lookup (${PRICES["lookup.enriched"]} tokens) returns all known data, including the verdict on the VAT number; it costs ${PRICE_WITHOUT_ENRICHMENT} when neither activities nor a verdict could be added. With \`include=peppol\` it also asks whether the company can receive e-invoices on Peppol, for ${PRICES.peppol} token more if the network answers.`,
  tool: {
    name: "lookup_company",
    title: "Look up a Dutch company",
    description: `One company of the Dutch company registry by its KVK number of eight digits. Basic: name, address and whether it is active; costs ${PRICES.lookup} token. With enrich true: all known data, including activities, legal form, trading names and the verdict on its VAT number; costs ${PRICES["lookup.enriched"]} tokens, ${PRICE_WITHOUT_ENRICHMENT} when neither activities nor a verdict could be added. If only a name is known, find the number with search_companies first. Errors cost nothing.`,
  },
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
      include: Type.Optional(
        oneOf(["peppol"], "Of an enriched company: also ask whether it is on Peppol.", "peppol"),
      ),
    }),
    response: refTo<Company>(CompanySchema),
  },
  read: (input) => {
    const { enrich, include } = input.query;
    if (include === undefined || enrich) return input;
    throw invalid("include adds to an enriched company only: send enrich=true too");
  },
  cost: ({ query }) => {
    const operation = query.enrich ? "lookup.enriched" : "lookup";
    return { operation, price: PRICES[operation] + (query.include === undefined ? 0 : PRICES.peppol) };
  },
  handler: ({ params: { kvkNumber }, query }, { lookup: companies }) => {
    const maxAgeMs = inMs(query.maxAge);
    if (!query.enrich) {
      const basic = companies.basic(kvkNumber, maxAgeMs);
      return deliver(basic, (company) => ({ charge: PRICES.lookup, body: company }));
    }
    const enriched = companies.enriched(kvkNumber, {
      maxAgeMs,
      vatMaxAgeMs: inMs(query.vatMaxAge),
      hasPeppol: query.include === "peppol",
    });
    return deliver(enriched, (company) => ({ charge: enrichedCharge(company), body: company }));
  },
});
