import { openPostgresState } from "../../src/storage/postgres/postgresState.ts";
import { stateStoreSuite } from "../../src/storage/stateStoreSuite.ts";
import { startPostgres } from "../support/postgres.ts";

const server = await startPostgres();

stateStoreSuite("the state on PostgreSQL", async ({ folder, tiers, clock }) => {
  const cell = new Float64Array(clock);
  return openPostgresState({ url: await server.databaseOf(folder), tiers, now: () => cell[0] ?? 0 });
});
