import { onTestFinished } from "vitest";
import {
  type PeppolSimulator,
  type PeppolSimulatorOptions,
  startPeppolSimulator,
} from "../../src/demo/peppol/server.ts";
import type { SimulatedParticipant } from "../../src/demo/peppol/smp.ts";
import { freePort } from "./freePort.ts";

const BILLING = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
/** The invoice and the credit note of BIS Billing 3.0. */
export const PEPPOL_INVOICE = `busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##${BILLING}`;
export const PEPPOL_CREDIT_NOTE = `busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##${BILLING}`;
/** A document that is no invoice. */
export const PEPPOL_ORDER =
  "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1";

/** Under its KVK number, it receives invoices and credit notes. */
export const FABEL: SimulatedParticipant = {
  id: "0106:90001001",
  documents: [PEPPOL_INVOICE, PEPPOL_CREDIT_NOTE],
};
/** Under its VAT number, at an SMP of the second version. */
export const SPROOKJE: SimulatedParticipant = {
  id: "9944:NL900010029B01",
  documents: [PEPPOL_INVOICE, PEPPOL_CREDIT_NOTE],
  version: 2,
};
/** It receives orders, no invoices. */
export const LEGENDE: SimulatedParticipant = { id: "0106:90001003", documents: [PEPPOL_ORDER] };

/** A simulated Peppol network with three participants, on free ports, stopped after the test. */
export async function peppolSimulator(options: PeppolSimulatorOptions = {}): Promise<PeppolSimulator> {
  const participants = [FABEL, SPROOKJE, LEGENDE];
  const started = await startPeppolSimulator({ port: await freePort(), participants, ...options });
  onTestFinished(() => started.stop());
  return started;
}
