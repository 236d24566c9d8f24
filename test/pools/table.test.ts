import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { POOLS, type Pool } from "../../src/contract/pools.ts";
import { repositoryFiles, textOf } from "../architecture/repository.ts";

const page = textOf("docs/operations.md");
const sources = repositoryFiles()
  .filter(
    (path) => /^src\/.*\.ts$/.test(path) && path !== "src/contract/pools.ts" && !path.endsWith(".test.ts"),
  )
  .map(textOf);

/** A line of the table in `docs/operations.md`. */
function lineOf(name: string, { holds, scope, places, perAccount, perAddress, freeTiers }: Pool): string {
  const shown = (bound: number | undefined) => (bound === undefined ? "–" : bound.toLocaleString("en"));
  return `| ${name} | ${holds} | ${scope} | ${[places, perAccount, perAddress, freeTiers].map(shown).join(" | ")} |`;
}

describe.each(Object.entries<Pool>(POOLS))("the pool %s", (name, pool) => {
  it("has a test in which others still get through", () => {
    expect(existsSync(fileURLToPath(new URL(`${name}.test.ts`, import.meta.url)))).toBe(true);
  });

  it("has a user that takes its bounds from the table", () => {
    expect(sources.filter((text) => text.includes(`POOLS.${name}`))).not.toEqual([]);
  });

  it("stands in docs/operations.md as it is", () => {
    expect(page.split("\n")).toContain(lineOf(name, pool));
  });

  it("has shares that leave room for others", () => {
    for (const share of [pool.perAccount, pool.perAddress, pool.freeTiers]) {
      if (share !== undefined && pool.places !== undefined) expect(share).toBeLessThan(pool.places);
    }
  });
});
