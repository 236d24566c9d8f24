import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { emptiedStates } from "../kit/emptiedStates.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

const stateOf = emptiedStates(await sharedPostgres());

stateStoreSuite("the state on PostgreSQL", async ({ folder, clock, ...rest }) => {
  const cell = new Float64Array(clock);
  return openPostgresState({ url: await stateOf(folder), now: () => cell[0] ?? 0, ...rest });
});
