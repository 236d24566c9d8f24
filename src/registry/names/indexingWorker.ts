/** The thread that indexes names while an import reads. */
import { parentPort } from "node:worker_threads";
import { IndexBuilder } from "../../search/index/builder.ts";
import { writeIndexFile } from "../../search/index/indexFile.ts";
import { type IndexingMessage, unpackCompany } from "./indexingMessage.ts";

const builder = new IndexBuilder();

parentPort?.on("message", (message: IndexingMessage) => {
  if ("path" in message) {
    writeIndexFile(message.path, builder.sections());
    parentPort?.postMessage("written");
    return;
  }
  for (const company of message.companies) builder.add(unpackCompany(company));
  parentPort?.postMessage("indexed");
});
