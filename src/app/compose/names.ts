import type { NamesBuilding } from "../../snapshot/names/namesLoader.ts";
import type { Log } from "../log/log.ts";

/** Tells the operator of an index of names that is being built: at once with how much that is, now and then how far, and what came of it. */
export function tellBuilding(building: NamesBuilding, logger: Pick<Log["logger"], "info" | "error">): void {
  if (building.state === "failed") {
    const { file, companies, error, nextTryInSeconds } = building;
    logger.error(
      { file, companies, nextTryInSeconds, err: error },
      "the index of names could not be built: names cannot be searched; it is tried again",
    );
    return;
  }
  const { state, ...facts } = building;
  logger.info(facts, TEXTS[state]);
}

const TEXTS = {
  begun:
    "the index of names has to be built, which takes a minute or two for four million companies: until then companies are looked up, and names are searched in the snapshot before this one, or not at all (503)",
  "under way": "the index of names is being built",
  done: "the index of names is built",
} satisfies Record<Exclude<NamesBuilding["state"], "failed">, string>;
