import { expect, it } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { MAX_WAITING } from "../../src/database/postgres/driver.ts";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { TIERS } from "../kit/stores/fixture.ts";

it("reads are refused at once when too many wait for a connection, and the others are served", async () => {
  const server = await sharedPostgres();
  const state = await openPostgresState({ url: await server.newDatabase("waiting"), tiers: TIERS });
  afterFile(() => state.close());
  const beyond = 40;
  const settled: string[] = [];
  const reads = Array.from({ length: MAX_WAITING + beyond }, async () => {
    try {
      await state.accounts.find("acc_unknown");
      settled.push("served");
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).toContain("too many queries are waiting");
      settled.push("refused");
    }
  });
  await Promise.all(reads);
  const refused = settled.filter((outcome) => outcome === "refused").length;
  // Some get a connection at once and do not wait.
  expect(refused).toBeGreaterThanOrEqual(beyond - 8);
  expect(refused).toBeLessThanOrEqual(beyond);
  expect(settled.slice(0, refused)).toEqual(Array(refused).fill("refused"));
  expect(await state.accounts.find("acc_unknown")).toBeUndefined();
});
