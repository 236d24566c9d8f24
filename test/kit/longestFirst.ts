import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest and their processor seconds in one run, out of the report that `slowestFiles.ts` writes.
 */
const SECONDS = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL("seconds.json", import.meta.url), "utf8")) as Record<string, number>,
  ),
);

/**
 * Runs the files of one project after those of another: a worker whose next file belongs to another project is
 * replaced, and the new one imports the program again. In each project the longest files run first, so that the run
 * does not end waiting for one of them; the others keep vitest's order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const secondsOf = ({ moduleId }: TestSpecification) =>
      SECONDS.get(relative(process.cwd(), moduleId)) ?? 0;
    return others.sort(
      (one, other) => one.project.name.localeCompare(other.project.name) || secondsOf(other) - secondsOf(one),
    );
  }
}
