/** The thread that reads a name index. */
import { serveCalls } from "../../lib/workerClient.ts";
import { UnusableIndex } from "../../search/index/sections.ts";
import type { LayerPlace } from "../types.ts";
import { hiddenNames } from "./hiddenNames.ts";
import { readNames } from "./storedNames.ts";

const served = {
  /** Reads the stored index of a layer. @returns the reason if it is unusable */
  read(place: LayerPlace): SharedArrayBuffer | string {
    try {
      return readNames(place);
    } catch (error) {
      if (error instanceof UnusableIndex) return error.message;
      throw error;
    }
  },

  /** Marks the names of a base that its delta replaces. */
  hide: hiddenNames,
};
export type NamesServed = typeof served;

serveCalls(served);
