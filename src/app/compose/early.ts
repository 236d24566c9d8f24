/** What a service begins before the rest of it is loaded: both of these are threads, which work while this one reads the program. */
import { EarlyNames } from "../../snapshot/names/earlyNames.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { type StateThread, stateOn } from "../../storage/thread/stateThread.ts";
import type { Settings } from "../settings/settings.ts";
import { startState } from "./state.ts";

export interface Early {
  readonly names: EarlyNames;
  /** Gives every other thread its way to the state. */
  readonly stateThread: StateThread;
  /** The state for this thread, which ends the state thread when it is closed. */
  readonly state: Promise<StateStore>;
  /** Fulfilled with why the state is gone, for as long as this process lives. */
  readonly stateLost: Promise<Error>;
}

/** Begins to open the state and to read the registry's indexes of names; whoever is given them closes both. */
export function beginEarly(settings: Settings): Early {
  const lost = Promise.withResolvers<Error>();
  const names = new EarlyNames(registryDirectory(settings.DATA_DIR));
  const stateThread = startState(settings, undefined, lost.resolve);
  const state = stateThread.ready.then(() => stateOn(stateThread));
  // Who awaits it may not be loaded yet.
  state.catch(() => {});
  return { names, stateThread, state, stateLost: lost.promise };
}
