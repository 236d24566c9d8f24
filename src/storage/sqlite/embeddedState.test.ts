import { stateStoreSuite } from "../stateStoreSuite.ts";
import { openEmbeddedState, statePath } from "./embeddedState.ts";

stateStoreSuite("the embedded state on its thread", ({ folder, ...rest }) =>
  openEmbeddedState({ path: statePath(folder), ...rest }),
);
