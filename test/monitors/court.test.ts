import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { describe } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import {
  COMMAND_CONNECT_TIMEOUT_MS,
  kyselyOverPostgres,
  openPool,
} from "../../src/database/postgres/connect.ts";
import type { Tables } from "../../src/database/schema/tables.ts";
import { kyselyOverSqlite } from "../../src/database/sqlite/driver.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { emptiedStates } from "../kit/emptiedStates.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { courtErasure } from "../kit/stores/courtErasure.ts";
import type { OpenStore } from "../kit/stores/fixture.ts";
import { type ChangeState, courtMonitors } from "../kit/stores/monitorCourt.ts";

const stateOf = emptiedStates(await sharedPostgres());

describe.each<{
  readonly name: string;
  readonly open: OpenStore;
  /** Uses the state of a folder directly. */
  readonly use: (folder: string, work: (db: Kysely<Tables>) => Promise<void>) => Promise<void>;
}>([
  {
    name: "a SQLite file",
    open: ({ folder, tiers, clock }) => {
      const cell = new Float64Array(clock);
      return openSqliteState({ path: statePath(folder), tiers, now: () => cell[0] ?? 0 });
    },
    use: async (folder, work) => {
      using database = new DatabaseSync(statePath(folder), { timeout: COMMAND_CONNECT_TIMEOUT_MS });
      await work(kyselyOverSqlite(database));
    },
  },
  {
    name: "PostgreSQL",
    open: async ({ folder, tiers, clock }) => {
      const cell = new Float64Array(clock);
      return openPostgresState({ url: await stateOf(folder), tiers, now: () => cell[0] ?? 0 });
    },
    use: async (folder, work) => {
      const pool = openPool({
        url: await stateOf(folder),
        maxConnections: 1,
        connectWithinMs: COMMAND_CONNECT_TIMEOUT_MS,
      });
      await work(kyselyOverPostgres(pool)).finally(() => pool.end());
    },
  },
])("the court's register on $name", ({ open, use }) => {
  let last = "";
  const opening: OpenStore = (options) => {
    last = options.folder;
    return open(options);
  };
  const change: ChangeState = (work) => use(last, (db) => db.transaction().execute(work));
  describe("in monitors", () => courtMonitors(opening, change));
  describe("once a case is removed", () => courtErasure(opening, change));
});
