import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";

const LOOK = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`;

/**
 * Returns the violations that axe finds by WCAG 2.2 AA and best practices. The script is injected once per document and
 * reports only violations, because compiling it again and reporting passes takes longer than the check.
 */
export async function violationsOn(page: Page): Promise<readonly Result[]> {
  if (await page.evaluate<boolean>("globalThis.axe === undefined")) await page.evaluate(axe.source);
  return page.evaluate<Result[]>(LOOK);
}

/** Describes each violation with its element. */
export function describeViolations(violations: readonly Result[]): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  );
}
