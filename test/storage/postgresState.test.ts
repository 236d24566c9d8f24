import { openPostgresState } from "../../src/storage/postgres/postgresState.ts";
import { stateStoreSuite } from "../../src/storage/stateStoreSuite.ts";
import { sharedPostgres } from "../support/sharedPostgres.ts";

const server = await sharedPostgres();

stateStoreSuite("the state on PostgreSQL", async ({ folder, tiers, clock }) => {
  const cell = new Float64Array(clock);
  return openPostgresState({ url: await server.databaseOf(folder), tiers, now: () => cell[0] ?? 0 });
});
