import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { POOLS, type Pool } from "../../src/contract/pools.ts";
import { repositoryFiles, textOf } from "../architecture/repository.ts";

const sources = repositoryFiles()
  .filter(
    (path) => /^src\/.*\.ts$/.test(path) && path !== "src/contract/pools.ts" && !path.endsWith(".test.ts"),
  )
  .map(textOf);

describe.each(Object.entries<Pool>(POOLS))("the pool %s", (name, pool) => {
  it("has a test in which others still get through", () => {
    expect(existsSync(fileURLToPath(new URL(`${name}.test.ts`, import.meta.url)))).toBe(true);
  });

  it("has a user that takes its limits from the table", () => {
    expect(sources.filter((text) => text.includes(`POOLS.${name}`))).not.toEqual([]);
  });

  it("has shares that leave room for others", () => {
    for (const share of [pool.perAccount, pool.perAddress, pool.freeTiers]) {
      if (share !== undefined && pool.slots !== undefined) expect(share).toBeLessThan(pool.slots);
    }
  });
});
