import { renewStale } from "../jobs/results.ts";
import { SuppressionMark } from "../jobs/suppressionMark.ts";
import { SuppressionList } from "../lookup/suppression/suppressionList.ts";
import type { StateStore } from "./state/stateStore.ts";

/** Removes suppressed companies from the stored results of lists, in small steps. */
export async function cleanLists({ jobs, suppressed: store }: StateStore, onStep: (steps: number) => void) {
  const suppressed = await SuppressionList.follow(store);
  const mark = new SuppressionMark({ store, suppressed }).known();
  for (let steps = 0; await renewStale(jobs, suppressed, mark); ) onStep(++steps);
  suppressed.close();
}
