import { describe } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { emptiedStates } from "../kit/emptiedStates.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored } from "../kit/storedState.ts";
import type { OpenStore } from "../kit/stores/fixture.ts";
import { courtMonitors } from "../kit/stores/monitorCourt.ts";

const stateOf = emptiedStates(await sharedPostgres());

describe.each<{ readonly name: string; readonly open: OpenStore; readonly isShared: boolean }>([
  {
    name: "a SQLite file",
    isShared: false,
    open: ({ folder, tiers, clock }) => {
      const cell = new Float64Array(clock);
      return openSqliteState({ path: statePath(folder), tiers, now: () => cell[0] ?? 0 });
    },
  },
  {
    name: "PostgreSQL",
    isShared: true,
    open: async ({ folder, tiers, clock }) => {
      const cell = new Float64Array(clock);
      return openPostgresState({ url: await stateOf(folder), tiers, now: () => cell[0] ?? 0 });
    },
  },
])("the court's register in monitors, on $name", ({ open, isShared }) => {
  let last = "";
  const opening: OpenStore = (options) => {
    last = options.folder;
    return open(options);
  };
  const change = async (statement: string) =>
    changeStored(
      { dataDir: last, environment: isShared ? { DATABASE_URL: await stateOf(last) } : {} },
      statement,
    );
  courtMonitors(opening, change);
});
