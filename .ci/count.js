/**
 * Prints how many tests in vitest's reports passed, failed or were skipped. Tests of ../shared count in the last
 * report, others in the first.
 */
import { readFileSync } from "node:fs";

/** A report that is missing counts as one failure: the run ended before it was written. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults;
  } catch {
    return [{ status: "failed", assertionResults: [] }];
  }
}

const reports = process.argv.slice(2).map(read);
const isOfShared = ({ fullName }) => fullName.includes("../shared");
const testsOf = (report) => report.flatMap(({ assertionResults }) => assertionResults);
const tests = [
  ...testsOf(reports[0]).filter((test) => !isOfShared(test)),
  ...testsOf(reports.at(-1)).filter(isOfShared),
];
const count = (status) => tests.filter((test) => test.status === status).length;
/** Files that failed before or outside their tests. */
const broken = reports
  .flat()
  .filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );

const [passed, failed] = [count("passed"), count("failed") + broken.length];
const skipped = tests.length - count("passed") - count("failed");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0) process.exitCode = 1;
