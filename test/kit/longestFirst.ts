import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, as the end of a run shows them. Those that keep the processor busy stand beside those that wait, for a
 * signal, a drain or a poll, so that neither has all workers at once.
 */
const LONGEST = [
  "test/account/postgres.thorough.test.ts",
  "test/account/embedded.test.ts",
  "test/dashboard/overflow.thorough.test.ts",
  "test/nodes/exact.test.ts",
  "test/nodes/killed.test.ts",
  "test/dashboard/everyScreen.test.ts",
  "test/metering/killed.test.ts",
  "test/docs/programs.test.ts",
  "test/registry/layers.test.ts",
  "test/storage/postgresFaults.test.ts",
  "test/registry/publishedFaults.test.ts",
  "test/deploy/docker.test.ts",
  "test/jobs/killed.test.ts",
  "test/jobs/replaced.test.ts",
  "test/jobs/killedNodes.test.ts",
  "test/jobs/suppression.test.ts",
  "test/jobs/moved.test.ts",
  "test/jobs/uploads.test.ts",
  "test/registry/published.test.ts",
  "test/registry/killed.test.ts",
  "test/nodes/sessionsKilled.thorough.test.ts",
  "test/kvk/budget.test.ts",
  "test/dashboard/list.test.ts",
  "test/dashboard/settings.test.ts",
  "test/dashboard/docs.test.ts",
  "test/running/stalledLog.test.ts",
  "test/dashboard/keyboard.test.ts",
  "test/client/package.test.ts",
  "test/storage/moving.test.ts",
  "test/running/stopping.test.ts",
  "test/kvk/outage.test.ts",
  "test/strangers/everyRoute.test.ts",
  "test/anyRequest.test.ts",
  "test/vat/faults.test.ts",
  "test/metering/repeatedKilled.test.ts",
  "test/dashboard/tryIt.test.ts",
  "test/dashboard/signingUpAndIn.test.ts",
  "test/storage/postgresPlans.thorough.test.ts",
  "test/dashboard/twoFactor.test.ts",
  "test/deploy/release.test.ts",
  "test/deploy/caddy.test.ts",
  "test/deploy/nginx.test.ts",
  "test/kvk/flights.test.ts",
  "test/jobs/outages.test.ts",
  "test/running/escapes.test.ts",
  "test/running/demo.test.ts",
];

/** Begins with the longest files: one that comes last is waited for alone. The others follow as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.indexOf(relative(process.cwd(), moduleId));
      return place === -1 ? LONGEST.length : place;
    };
    return others.sort((one, other) => placeOf(one) - placeOf(other));
  }
}
