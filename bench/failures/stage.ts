import { opzoek } from "../processes.ts";
import type { Stage } from "./faults.ts";
import { SoakNode } from "./node.ts";
import type { SoakWorld } from "./world.ts";

/**
 * Starts the nodes of a world, two that share PostgreSQL and one on the embedded state, and gives what faults work on.
 * @param onStarted told of each node, so that it can be ended whatever becomes of the next
 */
export async function setStage(world: SoakWorld, onStarted: (node: SoakNode) => void): Promise<Stage> {
  const { folder, shared, embedded, gate, postgres: database, vies, kvk, smallDisk } = world;
  const start = async (name: string, environment: NodeJS.ProcessEnv) => {
    const node = await SoakNode.start(name, folder, environment);
    onStarted(node);
    return node;
  };
  const onBoth = async (words: readonly string[]) => {
    for (const { environment } of [shared, embedded]) await opzoek(words, environment);
  };
  let imports = 0;
  return {
    shared: [await start("node-0", shared.environment), await start("node-1", shared.environment)],
    embedded: await start("embedded", embedded.environment),
    gate,
    database,
    vies,
    kvk,
    smallDisk,
    importChanges: () => onBoth(["import", "jsonl", world.changedFile(++imports)]),
    rollBack: () => onBoth(["registry", "rollback"]),
  };
}
