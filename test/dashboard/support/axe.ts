import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";

const LOOK = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`;

/**
 * What axe finds by the rules of WCAG 2.2 AA and good practice. A document is given the program once, and tells only what is wrong:
 * compiling it again, and telling of all that is right, takes longer than looking.
 */
export async function violationsOn(page: Page): Promise<readonly Result[]> {
  if (await page.evaluate<boolean>("globalThis.axe === undefined")) await page.evaluate(axe.source);
  return page.evaluate<Result[]>(LOOK);
}

/** In words: each element with what is wrong with it. */
export function told(violations: readonly Result[]): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  );
}
