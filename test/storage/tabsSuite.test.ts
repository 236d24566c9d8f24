/** The whole suite of the stores where calls are charged to tabs: the same guarantees, and the same decisions. */
import type { PostgresState } from "../../src/storage/postgres/postgresState.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

const server = await sharedPostgres();

/** As the meter has it, where every account gets a tab with its second batch and after whatever has closed the last one. */
function chargingTabs(store: PostgresState): StateStore {
  const { metering } = store;
  return {
    ...store,
    metering: {
      apply: (asks) => metering.apply(asks, () => {}),
      findKeys: (hashes) => metering.findKeys(hashes),
    },
  };
}

stateStoreSuite(
  "the state on PostgreSQL, with every account's tab opened as soon as may be",
  async (options) => chargingTabs(await openByClock(await server.databaseOf(options.folder), options, 0)),
);
