/** The thread that indexes names while an import reads. */
import { serveCalls } from "../../lib/workerClient.ts";
import { IndexBuilder } from "../../search/index/builder.ts";
import { writeIndexFile } from "../../search/index/indexFile.ts";
import { type SentCompany, unpackCompany } from "./sentCompany.ts";

const builder = new IndexBuilder();

const served = {
  add(companies: readonly SentCompany[]): void {
    for (const company of companies) builder.add(unpackCompany(company));
  },

  /** Writes the index of all companies to a file. */
  write(path: string): void {
    writeIndexFile(path, builder.sections());
  },
};
export type IndexingServed = typeof served;

serveCalls(served);
