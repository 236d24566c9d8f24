import { Type } from "typebox";
import { type PeppolCheck, PeppolCheckSchema } from "../../contract/peppol.ts";
import { PRICES } from "../../contract/prices.ts";
import { refTo } from "../../contract/resources.ts";
import { deliver } from "../../lookup/answer.ts";
import { keyed } from "../endpoint.ts";
import { KvkNumberParameter } from "./shared.ts";

/** Whether a company can receive e-invoices on Peppol. */
export const peppol = keyed({
  method: "GET",
  path: "/v1/peppol/:kvkNumber",
  operation: "peppol",
  tag: "Companies",
  summary: "Check whether a company is on Peppol",
  description: `Asks the Peppol network whether a company can receive e-invoices (${PRICES.peppol} token): by its KVK number, then by its VAT number if the registry has it and the company is a legal person. The registry need not know the company. An answer is reused for a day. If the network does not answer, an earlier answer of at most 30 days is returned with \`ageSeconds\`; without one the response is UPSTREAM_ERROR and free, never \`not_registered\`. The operator must switch Peppol on.`,
  tool: {
    name: "check_peppol",
    title: "Check whether a Dutch company is on Peppol",
    description: `Whether a company can receive e-invoices on the Peppol network, by its KVK number of eight digits. reachable: it can; cannot_receive_invoices: it is registered for other documents only; not_registered: none of the numbers in asked is registered. An outage is the error UPSTREAM_ERROR, never not_registered. Costs ${PRICES.peppol} token. Errors cost nothing.`,
  },
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    response: refTo<PeppolCheck>(PeppolCheckSchema),
  },
  cost: () => ({ operation: "peppol", price: PRICES.peppol }),
  handler: ({ params: { kvkNumber } }, { lookup }) =>
    deliver(lookup.peppol(kvkNumber), (body) => ({ charge: PRICES.peppol, body })),
});
