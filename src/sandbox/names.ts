import type { Steps } from "../lib/steps.ts";
import { Finder } from "../search/finder.ts";
import { IndexBuilder } from "../search/index/builder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import { joinPieces, layOut } from "../search/index/sections.ts";
import { TEST_COMPANIES } from "./companies.ts";

/** What finds the sandbox's companies by their names, as the registry's are found: an index in memory. Others have the thread between its steps. */
export function* findTestCompanies(): Steps<Finder> {
  const builder = new IndexBuilder();
  for (const { facts } of TEST_COMPANIES) {
    const { address, ...others } = facts;
    builder.add({ ...others, ...address });
    yield;
  }
  const sections = yield* builder.sectionsInSteps();
  yield;
  return new Finder([new NameIndex(joinPieces(layOut(sections)))]);
}
