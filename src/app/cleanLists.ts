import { listLifetimes } from "../jobs/bounds.ts";
import { renewStale } from "../jobs/results.ts";
import { SuppressionMark } from "../jobs/suppressionMark.ts";
import { SuppressionList } from "../lookup/suppression/suppressionList.ts";
import type { StateStore } from "../storage/stateStore.ts";
import type { Settings } from "./settings/settings.ts";

/** Removes suppressed companies from the stored results of lists, and deletes results that nobody can see any more. */
export async function cleanLists(
  { jobs, people, suppressed }: Pick<StateStore, "jobs" | "people" | "suppressed">,
  { TIERS_FILE }: Pick<Settings, "TIERS_FILE">,
  onStep: (steps: number) => void,
): Promise<void> {
  const list = await SuppressionList.follow(suppressed);
  const mark = new SuppressionMark({ store: suppressed, suppressed: list }).known();
  const lifetimes = listLifetimes(TIERS_FILE);
  let steps = 0;
  const work = [
    () => people.sweepDeleted(),
    () => jobs.sweepLists(lifetimes),
    () => renewStale(jobs, list, mark),
  ];
  try {
    for (const step of work) while (await step()) onStep(++steps);
  } finally {
    list.close();
  }
}
