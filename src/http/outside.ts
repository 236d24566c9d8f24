/** Companies that must be asked for outside this process. */

import type { ByNeed, Need } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Steps } from "../lib/steps.ts";
import type { Finding } from "../lookup/finding.ts";
import type { Delivered, Delivery, Services } from "./endpoint.ts";
import { foundIn, noAnswer } from "./endpoints/shared.ts";

interface Wanted {
  readonly kvkNumber: KvkNumber;
  readonly maxAgeMs: number | undefined;
}

/** Looks a company up in the store, and outside where it must be; `make` turns what is found into a delivery. */
export async function look<N extends Need>(
  need: N,
  { kvkNumber, maxAgeMs }: Wanted,
  { companies, liveWaits }: Services,
  make: (found: ByNeed[N]) => Delivery | Promise<Delivery>,
): Promise<Delivery> {
  const [stored] = await companies.fromStore(need, [kvkNumber], maxAgeMs);
  if (stored !== undefined) return make(foundIn(stored, kvkNumber));
  return {
    outside: async (accountId) => {
      const asking = { accountId, deadlineMs: liveWaits.oneMs, maxAgeMs };
      const answer = await companies.fromLive(need, kvkNumber, asking);
      return finished(await make(foundIn(answer, kvkNumber)), accountId);
    },
  };
}

/** A delivery whose work is outside too, done at once: the full price is reserved already. */
export async function finished(delivery: Delivery, accountId: string): Promise<Delivered> {
  if ("outside" in delivery) return delivery.outside(accountId);
  if ("body" in delivery) return delivery;
  throw new TypeError("what tells the balance, or is done in steps, does not come from outside");
}

/** What was found as a delivery, by asking outside where that is needed. @throws {ApiError} when there is nothing to find in */
export function findIn<Found>(
  finding: Finding<Found>,
  make: (found: Found) => Delivered,
): Delivery | Promise<Delivery> {
  if (finding.kind === "found") return make(finding.found);
  if (finding.kind === "steps") return { inSteps: delivering(finding.steps, make) };
  if (finding.kind === "thread") {
    // What the other thread cannot do is done here.
    return finding.found.then(make, () => ({ inSteps: delivering(finding.steps(), make) }));
  }
  if (finding.kind === "no-registry") throw noAnswer(finding);
  return {
    outside: async () => {
      const answer = await finding.ask();
      if (answer.kind === "found") return make(answer.found);
      throw noAnswer(answer);
    },
  };
}

function* delivering<Found>(steps: Steps<Found>, make: (found: Found) => Delivered): Steps<Delivered> {
  return make(yield* steps);
}
