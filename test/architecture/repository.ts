import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The paths of all files in git, from the root, with `/`. */
export function repositoryFiles(): readonly string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The imports of a source file: own files by path from the root, packages by name. */
export interface Imports {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const SPECIFIER =
  /^(?:import|export)\s(?:[^;"']*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)|new URL\("(\.[^"]+\.ts)"/gm;

export function importsOf(path: string): Imports {
  const files: string[] = [];
  const packages: string[] = [];
  for (const [, first, second, third] of textOf(path).matchAll(SPECIFIER)) {
    const specifier = first ?? second ?? third ?? "";
    if (specifier.startsWith(".")) {
      files.push(relative(ROOT, join(ROOT, dirname(path), specifier)).replaceAll("\\", "/"));
    } else packages.push(packageOf(specifier));
  }
  return { files, packages };
}

/** The package of an import: `csv-parse` for `csv-parse/sync`. Modules of Node.js keep their prefix. */
function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  if (specifier.startsWith("node:")) return specifier;
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
