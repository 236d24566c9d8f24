/** A service with a stored answer of the Peppol network, which it cannot ask: where a test is not about the network. */
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";

/** No DNS server is there. */
export const PEPPOL_ON = { PEPPOL: "on", PEPPOL_DNS: "127.0.0.1:1" } as const;

/** Stores the answer that a company can receive invoices. */
export async function storeOnPeppol(
  { peppol }: Pick<StateStore, "peppol">,
  kvkNumber: KvkNumber,
  checkedAtMs: number,
): Promise<void> {
  const participantId = `0106:${kvkNumber}`;
  await peppol.storePeppol(kvkNumber, {
    status: "reachable",
    participantId,
    asked: [participantId],
    receives: ["invoice", "credit_note"],
    accessPoint: "smp.example.com",
    checkedAtMs,
  });
}
