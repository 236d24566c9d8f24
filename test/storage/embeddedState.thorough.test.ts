import { statePath } from "../../src/storage/sqlite/statePath.ts";
import { openStateOnThread } from "../../src/storage/thread/stateThread.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

stateStoreSuite("the embedded state on its thread", ({ folder, ...rest }) =>
  openStateOnThread({ path: statePath(folder), ...rest }),
);
