import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { SKIPPED } from "./needs.ts";

/** Lists the tests that this machine could not run, each with its missing requirement. */
export class SkippedTests implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const lines = files.flatMap((file) =>
      [...file.children.allTests("skipped")]
        .filter(({ name }) => SKIPPED.test(name))
        .map(({ fullName }) => `  ${relative(process.cwd(), file.moduleId)}: ${fullName}`),
    );
    if (lines.length > 0) console.log(`\nSkipped tests:\n${lines.join("\n")}`);
  }
}
