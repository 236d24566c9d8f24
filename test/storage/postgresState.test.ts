import { openStateOnThread } from "../../src/storage/thread/stateThread.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

const server = await sharedPostgres();

stateStoreSuite("the state on PostgreSQL, on its thread", async ({ folder, ...rest }) =>
  openStateOnThread({ url: await server.databaseOf(folder), ...rest }),
);
