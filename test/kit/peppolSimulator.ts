import { onTestFinished } from "vitest";
import { CREDIT_NOTE, INVOICE, ORDER } from "../../src/demo/peppol/participants.ts";
import {
  type PeppolSimulator,
  type PeppolSimulatorOptions,
  startPeppolSimulator,
} from "../../src/demo/peppol/server.ts";
import type { SimulatedParticipant } from "../../src/demo/peppol/smp.ts";
import { freePort } from "./freePort.ts";

/** Under its KVK number, it receives invoices and credit notes. */
export const FABEL: SimulatedParticipant = {
  id: "0106:90001001",
  documents: [INVOICE, CREDIT_NOTE],
};
/** Under its VAT number, at an SMP of the second version. */
export const SPROOKJE: SimulatedParticipant = {
  id: "9944:NL900010029B01",
  documents: [INVOICE, CREDIT_NOTE],
  version: 2,
};
/** It receives orders, no invoices. */
export const LEGENDE: SimulatedParticipant = { id: "0106:90001003", documents: [ORDER] };

/** A simulated Peppol network with three participants, on free ports, stopped after the test. */
export async function peppolSimulator(options: PeppolSimulatorOptions = {}): Promise<PeppolSimulator> {
  const participants = [FABEL, SPROOKJE, LEGENDE];
  const started = await startPeppolSimulator({ port: await freePort(), participants, ...options });
  onTestFinished(() => started.stop());
  return started;
}
