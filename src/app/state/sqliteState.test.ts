import { stateStoreSuite } from "../../../test/kit/stores/stateStoreSuite.ts";
import { statePath } from "../../database/sqlite/statePath.ts";
import { openSqliteState } from "./sqliteState.ts";

stateStoreSuite("a SQLite file", ({ folder, tiers, clock }) => {
  const cell = new Float64Array(clock);
  return openSqliteState({ path: statePath(folder), tiers, now: () => cell[0] ?? 0 });
});
