/** Lists that free accounts send slowly leave places for others. */
import { beforeAll, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";
import { expectPlacesForCustomers } from "./slowUploads.ts";

let world: World;
let service: Served;
beforeAll(async () => {
  world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  service = await serveHere(world);
});

it("lists of free accounts, sent slowly, leave places for a customer", async () => {
  await expectPlacesForCustomers(world, service, "kind=lookup", POOLS.receiving.freeTiers);
});
