/** Work that a service begins before the rest of the program is loaded: other threads or a server do it meanwhile. */
import { EarlyNames } from "../../snapshot/names/earlyNames.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Settings } from "../settings/settings.ts";
import { openState } from "./state.ts";

export interface Early {
  readonly names: EarlyNames;
  readonly state: Promise<StateStore>;
  /** Fulfilled with the reason when the state is gone for as long as this process lives. */
  readonly stateLost: Promise<Error>;
}

/** Begins to open the state and to read the registry's indexes of names. The caller closes both. */
export function beginEarly(settings: Settings): Early {
  const lost = Promise.withResolvers<Error>();
  const names = new EarlyNames(registryDirectory(settings.DATA_DIR));
  const state = openState(settings, { onLost: lost.resolve });
  // The code that awaits it may not be loaded yet.
  state.catch(() => {});
  return { names, state, stateLost: lost.promise };
}
