import { cpSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../architecture/repository.ts";

interface PackageFile extends Readonly<Record<string, unknown>> {
  readonly files: readonly string[];
}

/** npm packs these in addition to `files` in package.json. */
const ALWAYS_PACKED = ["package.json", "README.md", "LICENSE"];

/**
 * Copies the files of a package, including built ones, without its scripts: `npm pack` of npm 9 and 10 runs `prepare`
 * even with `--ignore-scripts`, which would build in the checkout that other tests use.
 * @param from the folder of its package.json
 */
export function copyForPacking(from: string, to: string): void {
  const { scripts: _, ...manifest } = JSON.parse(
    readFileSync(join(from, "package.json"), "utf8"),
  ) as PackageFile;
  for (const path of globSync([...ALWAYS_PACKED, ...manifest.files], { cwd: from })) {
    cpSync(join(from, path), join(to, path), { recursive: true });
  }
  writeFileSync(join(to, "package.json"), JSON.stringify(manifest));
}

const BUILT = ["dist/**", "dashboard/dist/**", "client/dist/**"];

/**
 * Returns everything that a build or a pack could change in the checkout: the files in its top folders, and the times
 * of built files.
 */
export function checkoutState(): readonly string[] {
  const names = globSync(["*", "bench/*", "client/*", "dashboard/*"], { cwd: ROOT }).filter(
    // Benchmark tests that run at the same time write there; git ignores it.
    (name) => name !== join("bench", "out"),
  );
  const times = globSync(BUILT, { cwd: ROOT }).map((path) => `${path} ${statSync(join(ROOT, path)).mtimeMs}`);
  return [...names, ...times].sort();
}
