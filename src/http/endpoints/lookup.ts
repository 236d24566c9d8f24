import { Type } from "typebox";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { type Company, CompanySchema, refTo } from "../../contract/resources.ts";
import {
  type CompanyVatNumber,
  enrichedCharge,
  type RegisteredCompany,
  vatNumberOf,
  withVerdict,
} from "../companyVat.ts";
import { type Delivered, type Delivery, keyed, type Services } from "../endpoint.ts";
import { currentSnapshot, KvkNumberParameter, notFound } from "./shared.ts";

/** One company by its KVK number, basic or enriched. */
export const lookup = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber",
  operation: "lookup",
  tag: "Companies",
  summary: "Look up one company",
  description: `A basic lookup (${PRICES.lookup} token) gives kvkNumber, name, address and isActive, and registrationDate and source where known. An enriched one (${PRICES["lookup.enriched"]} tokens) gives all that is known, the verdict on the VAT number included; it costs ${PRICE_WITHOUT_ENRICHMENT} when neither activities nor a verdict could be added.`,
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
    const asked = vatNumberOf(found);
    if (asked === undefined) return delivered(found.company);
    const known = services.verdicts.fromMemory(asked.number);
    if (known !== undefined) return delivered(withVerdict(found.company, asked, known));
    return enrich(found, asked, services);
  },
});

/** With the verdict on its VAT number, where it has one: of now if VIES must be asked, which leaves the process. */
async function enrich(
  found: RegisteredCompany,
  asked: CompanyVatNumber,
  { verdicts }: Services,
): Promise<Delivery> {
  const [stored] = await verdicts.fromStore([asked.number]);
  if (stored !== undefined) return delivered(withVerdict(found.company, asked, stored));
  return {
    outside: async () => delivered(withVerdict(found.company, asked, await verdicts.fromVies(asked.number))),
  };
}

function delivered(company: Company): Delivered {
  return { charge: enrichedCharge(company), body: company };
}
