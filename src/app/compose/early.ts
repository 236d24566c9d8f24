/** Opens the state while the rest of the program is still being loaded. */

import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";
import { openState } from "./state.ts";

export interface EarlyState {
  readonly state: Promise<StateStore>;
  /** Resolved with the reason when the state is lost until this process restarts. */
  readonly stateLost: Promise<Error>;
}

/** Starts opening the state. The caller closes it. */
export function openEarly(settings: Settings): EarlyState {
  const lost = Promise.withResolvers<Error>();
  const state = openState(settings, { onLost: lost.resolve });
  // The code that awaits it may not be loaded yet.
  state.catch(() => {});
  return { state, stateLost: lost.promise };
}
