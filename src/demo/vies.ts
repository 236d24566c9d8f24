import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import type { CompanyRecord } from "../registry/types.ts";
import { startViesSimulator, type ViesSimulator } from "../simulators/vies/server.ts";
import { knownToVies } from "./viesCompanies.ts";

/** Starts the simulated VIES of the demo, in which the companies of its registry exist. */
export function startDemoVies(host: string, directory: string): Promise<ViesSimulator> {
  return startViesSimulator({ host, companyOf: knownToVies(() => companiesIn(directory)) });
}

function* companiesIn(directory: string): Generator<CompanyRecord> {
  const snapshot = openCurrentSnapshot(directory);
  try {
    yield* snapshot?.all() ?? [];
  } finally {
    snapshot?.close();
  }
}
