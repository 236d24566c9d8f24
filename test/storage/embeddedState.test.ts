import { openEmbeddedState, statePath } from "../../src/storage/sqlite/embeddedState.ts";
import { stateStoreSuite } from "../kit/stores/stateStoreSuite.ts";

stateStoreSuite("the embedded state on its thread", ({ folder, ...rest }) =>
  openEmbeddedState({ path: statePath(folder), ...rest }),
);
