/** Lists that free accounts send slowly leave room for others. */
import { it } from "vitest";
import { serveHere } from "../kit/serveHere.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";
import { expectRoomForOthers } from "./slowUploads.ts";

it("the largest lists of two free accounts, sent slowly, leave room for the lists of others", async () => {
  const world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  await expectRoomForOthers(world, await serveHere(world), "kind=match");
});
