/** Accounts take turns, so one account with many numbers delays no other. */
import { expect, it } from "vitest";
import { PLAIN } from "../kit/companies.ts";
import { serveHere } from "../kit/serveHere.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { begun, change, completed, list, results } from "./lists.ts";

const MANY = Array.from({ length: 20_000 }, (_, nth) => String(70_000_000 + nth));
const FEW = PLAIN.slice(0, 20);

it("short lists of other accounts finish before an account with long lists starts its next one", async () => {
  const world = await makeWorld();
  const long = await world.account("plenty");
  const others = [await world.account("plenty"), await world.account("plenty")];
  const service = await serveHere(world);
  const { ofMany, short } = await until("short lists wait for a long one", async () => {
    const ofMany: string[] = [];
    for (let count = 0; count < 3; count++) ofMany.push((await begun(service, long.key, MANY)).id);
    const short = await Promise.all(
      others.map(async ({ key }) => ({ key, id: (await begun(service, key, FEW)).id })),
    );
    const [first = ""] = ofMany;
    if ((await list(service, long.key, first)).status !== "completed") return { ofMany, short };
    // The first long list may have ended before the others were sent, and the next one begun.
    for (const id of ofMany) await change(service, long.key, id, "cancel");
    return undefined;
  });
  for (const { key, id } of short) {
    const { endedAt = "" } = await completed(service, key, id);
    expect(await results(service, key, id)).toHaveLength(FEW.length);
    for (const later of ofMany.slice(1)) {
      const { startedAt = "never" } = await list(service, long.key, later);
      expect(startedAt >= endedAt).toBe(true);
    }
  }
  for (const id of ofMany) expect((await change(service, long.key, id, "cancel")).status).toBe(200);
});
