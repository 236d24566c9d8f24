/** The program of a loading process, which a test bundles. */

import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import { DEFAULT_TIERS } from "../../src/contract/tiers.ts";
import { CourtLoading } from "../../src/insolvency/loading.ts";
import type { StoredCase } from "../../src/insolvency/stored.ts";
import { courtCase, kvkNumberOf, ModelCourt } from "../kit/modelCourt.ts";

const START = "2026-06-01T02:30:00.000Z";
const DAY_MS = 86_400_000;

/** A court on the second day: some cases have changed, ended, moved or were removed since the first. */
export function courtOn(day: 1 | 2): ModelCourt {
  const court = new ModelCourt(START);
  for (let number = 1; number <= 8; number++) court.put(courtCase(number));
  court.put(courtCase(9, { isLegalPerson: false }));
  if (day === 1) return court;
  court.nowMs += 1_000;
  court.put(courtCase(1, { endedOn: "2026-06-01" }));
  court.put(courtCase(10, { kvkNumbers: [kvkNumberOf(1)], previousCaseNumber: courtCase(1).caseNumber }));
  court.put(courtCase(2, { kvkNumbers: [kvkNumberOf(20)] }));
  court.put(courtCase(9, { isLegalPerson: false, endedOn: "2026-06-01" }));
  court.putPrivate(courtCase(3).id, courtCase(3).publication);
  court.remove(courtCase(4).id);
  court.nowMs += DAY_MS;
  return court;
}

/** Loads the register of a day into a state, and does not return before it is complete. */
export async function load(path: string, day: 1 | 2, onStart: () => void = () => {}): Promise<void> {
  const court = courtOn(day);
  const state = await openSqliteState({ path, tiers: DEFAULT_TIERS, now: () => court.nowMs });
  onStart();
  const loading = new CourtLoading({ court, store: state.court, paceMs: 0, now: () => court.nowMs });
  const at = await state.court.courtProgress();
  // A process that continues does not ask for the list again.
  let isNext = day === 2 && at?.modifiedFrom.startsWith("2026-06-01") === true;
  for (;;) {
    const { signal } = new AbortController();
    const { kind } = await loading.step({ mayBegin: true, mayList: true, isNext, signal, forMs: 60_000 });
    if (kind !== "working") break;
    isNext = false;
  }
  await state.close();
}

/** The cases in a state, and how far it is. */
export async function replicaIn(path: string) {
  const state = await openSqliteState({ path, tiers: DEFAULT_TIERS });
  const cases: readonly StoredCase[] = await state.court.courtCases("", 1_000);
  const [at, due] = [await state.court.courtProgress(), await state.court.courtDue()];
  await state.close();
  return { cases, due, at: { ...at, version: 0 } };
}
