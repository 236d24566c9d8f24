/** Dry runs of free accounts leave room for others. */
import { it } from "vitest";
import { serveHere } from "../kit/serveHere.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";
import { expectRoomForOthers } from "./slowUploads.ts";

it("the largest dry runs of two free accounts, sent slowly, leave room for the lists of others", async () => {
  const world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  await expectRoomForOthers(world, await serveHere(world), "kind=match&dryRun=true");
});
