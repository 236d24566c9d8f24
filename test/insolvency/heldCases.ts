/** A program that holds cases in memory and prints what that takes, which a test bundles. */

import { CourtReplica } from "../../src/insolvency/replica.ts";
import type { StoredCase } from "../../src/insolvency/stored.ts";
import { courtCase } from "../kit/modelCourt.ts";

export interface Held {
  readonly cases: number;
  readonly megabytes: number;
}

/** Holds open cases with two curators and five publications each. */
export async function hold(count: number, collectGarbage: () => void): Promise<Held> {
  const at = {
    ...{ version: 1, modifiedFrom: "2026-06-01T00:00:00Z", removedFrom: "2026-06-01T00:00:00Z" },
    ...{ needsRemovals: false, loadMs: 0, held: [] },
    completeAtMs: Date.parse("2026-06-01T00:00:00Z"),
  };
  const idOf = (number: number) => `F.16/26/${String(number).padStart(6, "0")} mne`;
  const stored = (number: number): string => {
    const one = courtCase(number, { id: idOf(number) });
    const publications = ["1300", "1301", "1310", "1311", "1323"].map(
      (code) => `16.mne.26.${number}.F.${code}.1.26`,
    );
    const curators = ["Fabel", "Sprookje"].map((name) => ({
      name: `mr. drs. A.B.C. van ${name}-${number}`,
      city: `Rommeldam ${number}`,
      phone: `010-${number}`,
    }));
    return JSON.stringify({ listMs: at.completeAtMs, found: { ...one, publications, curators } });
  };
  const replica = new CourtReplica({
    store: {
      courtProgress: async () => at,
      courtCases: async (afterId, limit) => {
        const first = afterId === "" ? 0 : Number(afterId.slice(8, 14)) + 1;
        const length = Math.max(0, Math.min(limit, count - first));
        return Array.from({ length }, (_, index): StoredCase => JSON.parse(stored(first + index)));
      },
    },
    suppressed: { has: () => false },
    onError: (error) => {
      throw error;
    },
  });
  collectGarbage();
  const beforeBytes = process.memoryUsage().heapUsed;
  await replica.read();
  collectGarbage();
  const megabytes = Math.ceil((process.memoryUsage().heapUsed - beforeBytes) / 1e6);
  return { cases: replica.size, megabytes };
}
