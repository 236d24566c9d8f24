import type { CompanyFacts } from "../../company/facts.ts";
import type { SimulatedParticipant } from "./smp.ts";

const UBL = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd";
const BILLING = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
export const INVOICE = `${UBL}:Invoice-2::Invoice##${BILLING}`;
export const CREDIT_NOTE = `${UBL}:CreditNote-2::CreditNote##${BILLING}`;
export const ORDER = `${UBL}:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1`;

/** Legal persons of a registry: by the last digit of their number some receive invoices, and some orders alone. */
export function demoParticipants(companies: Iterable<CompanyFacts>): SimulatedParticipant[] {
  return [...companies]
    .filter(({ rsin, kvkNumber }) => rsin !== undefined && /[4-8]$/.test(kvkNumber))
    .map(({ kvkNumber }) => ({
      id: `0106:${kvkNumber}`,
      documents: kvkNumber.endsWith("4") ? [ORDER] : [INVOICE, CREDIT_NOTE],
    }));
}
