/** A thread that reads blocks of lines for an import. */
import { parentPort, workerData } from "node:worker_threads";
import { transferable } from "../../snapshot/incoming/factsPacker.ts";
import { BlockReader, type BlockTask } from "./readBlock.ts";

// What the thread that started this one gave it.
const reader = new BlockReader(workerData as BlockTask);

parentPort?.on("message", (block: Uint8Array<ArrayBuffer>) => {
  const read = reader.read(block);
  parentPort?.postMessage(read, [...transferable(read.facts), read.lines.buffer]);
});
