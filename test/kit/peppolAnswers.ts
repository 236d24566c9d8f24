/** A service with a stored answer of the Peppol network, which it cannot ask: where a test is not about the network. */
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { BAKERY } from "./companies.ts";

/** No DNS server is there. */
export const PEPPOL_ON = { PEPPOL: "on", PEPPOL_DNS: "127.0.0.1:1" } as const;

/** Stores the answer that the bakery can receive invoices. */
export async function storeOnPeppol(
  { peppol }: Pick<StateStore, "peppol">,
  checkedAtMs: number,
): Promise<void> {
  const participantId = `0106:${BAKERY}`;
  await peppol.storePeppol(BAKERY, {
    status: "reachable",
    participantId,
    asked: [participantId],
    receives: ["invoice", "credit_note"],
    accessPoint: "smp.example.com",
    checkedAtMs,
  });
}
