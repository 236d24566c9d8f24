/** Checks that paths and functions named in ARCHITECTURE.md and docs/decisions exist. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, repositoryFiles, textOf } from "./repository.ts";

const pages = repositoryFiles().filter(
  (path) => path === "ARCHITECTURE.md" || path.startsWith("docs/decisions/"),
);
/** A path below a top-level folder, or a source file, in backticks. */
const PATH = /`((?:src|test|docs|build|bench|bin|client|dashboard|deploy)\/[\w./-]*|[\w./-]+\.tsx?)`/g;
/** A step of a walk: a file and a function in it. */
const STEP = /`([\w./-]+\.ts)` → `#?(\w+)`/g;

/** The paths in a document, from the root. Those in decisions may begin below `src`. */
const namedIn = (page: string): string[] =>
  [...textOf(page).matchAll(PATH)].map(([, path = ""]) =>
    existsSync(join(ROOT, path)) ? path : `src/${path}`,
  );

describe("documents for engineers", () => {
  it("name only files and folders that exist", () => {
    expect(pages.flatMap(namedIn).length).toBeGreaterThan(100);
    const lost = pages.flatMap((page) =>
      namedIn(page)
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(lost).toEqual([]);
  });

  it("name functions that exist in the named file", () => {
    const steps = [...textOf("ARCHITECTURE.md").matchAll(STEP)];
    expect(steps.length).toBeGreaterThan(50);
    const lost = steps.filter(([, path = "", name]) => {
      const stated = `(?:function\\*?|class|const) ${name}\\b|^ +(?:async )?[*#]*${name}[(<]`;
      return !new RegExp(stated, "m").test(textOf(path));
    });
    expect(lost.map(([step]) => step)).toEqual([]);
  });
});
