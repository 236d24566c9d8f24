import { eraseFromResults } from "../../jobs/results.ts";
import { withdrawAllResponses } from "../../metering/queries/storedResponses.ts";
import type { StateQueries } from "./stateQueries.ts";

type ErasedState = Pick<StateQueries, "removedCases" | "monitors" | "jobs" | "responses">;

/** Cases of one step: the stored results and responses are read once for all of them. */
const CASES_AT_ONCE = 100;

/**
 * Erases what was derived from cases that the court has removed: in events, messages, baselines, results of lists and
 * stored responses.
 * @returns whether there may be more
 */
export async function eraseRemoved(state: ErasedState): Promise<boolean> {
  const { removedCases, monitors, jobs, responses } = state;
  const removals = await removedCases.removalsToErase(CASES_AT_ONCE);
  if (removals.length === 0) return false;
  for (const [kvkNumber, own] of Map.groupBy(removals, (one) => one.kvkNumber)) {
    const ofCompany = own.map(({ caseNumber }) => caseNumber);
    if (kvkNumber !== "") await monitors.eraseCases(kvkNumber, ofCompany);
  }
  const caseNumbers = [...new Set(removals.map(({ caseNumber }) => caseNumber))];
  await eraseFromResults(jobs, caseNumbers);
  await withdrawAllResponses(responses, caseNumbers);
  await removedCases.endRemovals(removals);
  return removals.length === CASES_AT_ONCE;
}
