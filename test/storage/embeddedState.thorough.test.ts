import { openStateOnThread } from "../../src/app/state/thread/stateThread.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

stateStoreSuite("the embedded state on its thread", ({ folder, ...rest }) =>
  openStateOnThread({ path: statePath(folder), ...rest }),
);
