/** Dry runs of free accounts leave places for others. */
import { beforeAll, expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { send } from "../jobs/lists.ts";
import { codeOf, numberIn } from "../kit/answer.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";
import { expectPlacesForCustomers, slowUpload } from "./slowUploads.ts";

let world: World;
let service: Served;
beforeAll(async () => {
  world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  service = await serveHere(world);
});

it("dry runs of free accounts, sent slowly, leave places for a customer", async () => {
  await expectPlacesForCustomers(world, service, "kind=lookup&dryRun=true", POOLS.dryRuns.freeTiers);
});

it("an account may have two dry runs being received at once, free of charge", async () => {
  const { key } = await world.account("plenty");
  const uploads = Array.from({ length: POOLS.dryRuns.perAccount }, () =>
    slowUpload(service, key, "kind=lookup&dryRun=true"),
  );
  const third = await until("a third one is refused", async () => {
    const answer = await send(service, key, ["51000000"], "kind=lookup&dryRun=true");
    return answer.status === 503 && answer;
  });
  expect([codeOf(third), numberIn(third, "retry-after"), numberIn(third, "x-tokens-charged")]).toEqual([
    "SERVICE_UNAVAILABLE",
    5,
    0,
  ]);
  expect(uploads.map(({ answer }) => answer())).toEqual([undefined, undefined]);
});
