/** The thread that indexes names while an import reads. */
import { parentPort } from "node:worker_threads";
import { IndexBuilder } from "../../search/index/builder.ts";
import type { IndexedCompany } from "../../search/index/companySpans.ts";
import { writeIndexFile } from "../../search/index/indexFile.ts";
import type { IndexingTask } from "./namesTask.ts";

const builder = new IndexBuilder();

parentPort?.on("message", (task: IndexingTask) => {
  if ("companies" in task) {
    // Written by `findable` a moment ago, on the other thread.
    const companies = JSON.parse(task.companies) as IndexedCompany[];
    for (const company of companies) builder.add(company);
    parentPort?.postMessage("indexed");
  } else if ("names" in task) {
    builder.addBatch(task.names, task.leftOut);
    parentPort?.postMessage("indexed");
  } else {
    writeIndexFile(task.path, builder.sections());
    parentPort?.postMessage("written");
  }
});
