import { Type } from "typebox";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { type BasicCompany, type Company, CompanySchema, refTo } from "../../contract/resources.ts";
import {
  type CompanyVatNumber,
  enrichedCharge,
  type RegisteredCompany,
  vatNumberOf,
  withVerdict,
} from "../companyVat.ts";
import { type Delivered, type Delivery, keyed, type Services } from "../endpoint.ts";
import { look } from "../outside.ts";
import { foundIn, inMs, KvkNumberParameter, MaxAgeParameter, VatMaxAgeParameter } from "./shared.ts";

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
      maxAge: MaxAgeParameter,
      vatMaxAge: VatMaxAgeParameter,
    }),
    response: refTo<Company>(CompanySchema),
  },
  cost: ({ query }) => {
    const operation = query.enrich ? "lookup.enriched" : "lookup";
    return { operation, price: PRICES[operation] };
  },
  handler: ({ params: { kvkNumber }, query }, services) => {
    const maxAgeMs = inMs(query.maxAge);
    if (!query.enrich) {
      const answer = services.companies.atOnce("basic", kvkNumber, maxAgeMs);
      return answer === undefined
        ? look("basic", { kvkNumber, maxAgeMs }, services, basic)
        : basic(foundIn(answer, kvkNumber));
    }
    const vatMaxAgeMs = inMs(query.vatMaxAge);
    const answer = services.companies.atOnce("enriched", kvkNumber, maxAgeMs);
    return answer === undefined
      ? look("enriched", { kvkNumber, maxAgeMs }, services, (found) => enrich(found, vatMaxAgeMs, services))
      : enrich(foundIn(answer, kvkNumber), vatMaxAgeMs, services);
  },
});

function basic(company: BasicCompany): Delivered {
  return { charge: PRICES.lookup, body: company };
}

/** With the verdict on its VAT number, where it has one: of now if VIES must be asked, which leaves the process. */
function enrich(
  found: RegisteredCompany,
  vatMaxAgeMs: number | undefined,
  services: Services,
): Delivery | Promise<Delivery> {
  const asked = vatNumberOf(found);
  if (asked === undefined) return delivered(found.company);
  const known = services.verdicts.fromMemory(asked.number, vatMaxAgeMs);
  if (known !== undefined) return delivered(withVerdict(found.company, asked, known));
  return askVies(found, asked, vatMaxAgeMs, services);
}

async function askVies(
  found: RegisteredCompany,
  asked: CompanyVatNumber,
  vatMaxAgeMs: number | undefined,
  { verdicts }: Services,
): Promise<Delivery> {
  const [stored] = await verdicts.fromStore([asked.number], vatMaxAgeMs);
  if (stored !== undefined) return delivered(withVerdict(found.company, asked, stored));
  return {
    outside: async () => delivered(withVerdict(found.company, asked, await verdicts.fromVies(asked.number))),
  };
}

function delivered(company: Company): Delivered {
  return { charge: enrichedCharge(company), body: company };
}
