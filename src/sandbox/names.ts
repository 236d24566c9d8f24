import { Finder } from "../search/finder.ts";
import { IndexBuilder } from "../search/index/builder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import { joinPieces, layOut } from "../search/index/sections.ts";
import { TEST_COMPANIES } from "./companies.ts";

/** What finds the sandbox's companies by their names, as the registry's are found: an index in memory. */
export function findTestCompanies(): Finder {
  const builder = new IndexBuilder();
  for (const { facts } of TEST_COMPANIES) {
    const { address, ...others } = facts;
    builder.add({ ...others, ...address });
  }
  return new Finder([new NameIndex(joinPieces(layOut(builder.sections())))]);
}
