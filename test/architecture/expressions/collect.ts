/** The regular expressions of the program, from its syntax trees. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { type Node, nodesOf } from "../../../build/syntaxTree.ts";
import { isJsonObject } from "../../../src/lib/values.ts";
import { ROOT, repositoryFiles, textOf } from "../repository.ts";
import type { Constructed } from "./construct.ts";

export interface Found {
  /** Path and line. */
  readonly at: string;
  readonly expression: RegExp;
  /** The maximum length of its input, by the comment next to it; undefined if that is unbounded. */
  readonly maxLetters: number | undefined;
}

export interface Collected {
  /** Literals, patterns of schemas, and what modules construct when they are loaded. */
  readonly found: readonly Found[];
  /** Where expressions are only constructed later. */
  readonly constructedLater: readonly string[];
}

const SOURCES = /^(?:src|client\/src|dashboard\/src)\/.*\.tsx?$/;
const NOT_SOURCES = /\.(?:test|d)\.tsx?$/;
/** `Input: at most 600 letters.` in a comment above an expression or next to it. */
const BOUND = /\bInput: at most ([0-9][0-9,]*) letters\b/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const CONSTRUCT = fileURLToPath(new URL("construct.ts", import.meta.url));

export function collect(): Collected {
  const constructions: string[] = [];
  const literals = repositoryFiles()
    .filter((path) => SOURCES.test(path) && !NOT_SOURCES.test(path))
    .flatMap((path) => {
      const text = textOf(path);
      const found: Found[] = [];
      for (const node of nodesOf(parseSync(path, text).program)) {
        const [source, flags] = literalOf(node) ?? patternOf(node) ?? [];
        if (source === undefined && !isConstruction(node)) continue;
        const at = `${path}:${text.slice(0, Number(node["start"])).split("\n").length}`;
        if (source === undefined) constructions.push(at);
        else found.push(foundAt(at, source, flags));
      }
      return found;
    });
  const loaded = constructedBy([...new Set(constructions.map((at) => at.replace(/:[0-9]+$/, "")))]);
  const here = loaded.filter(({ at }) => constructions.includes(at));
  return {
    found: [...literals, ...here.map(({ at, source, flags }) => foundAt(at, source, flags))],
    constructedLater: constructions.filter((at) => !here.some((one) => one.at === at)),
  };
}

/** Loads modules in a process of their own. */
function constructedBy(paths: readonly string[]): readonly Constructed[] {
  const modules = paths.filter((path) => path.startsWith("src/"));
  const output = execFileSync(process.execPath, [CONSTRUCT, ROOT, ...modules], { encoding: "utf8" });
  return JSON.parse(output) as Constructed[];
}

function foundAt(at: string, source: string, flags = ""): Found {
  const [path = "", line] = at.split(":");
  const lines = textOf(path).split("\n");
  let from = Number(line) - 1;
  // The comment is above the declaration, which may begin on an earlier line, and may have several lines.
  while (/[=(,{[]$/.test(lines[from - 1] ?? "") || COMMENT.test(lines[from - 1] ?? "")) from -= 1;
  const [, letters] = BOUND.exec(lines.slice(from, Number(line)).join("\n")) ?? [];
  const maxLetters = letters === undefined ? undefined : Number(letters.replaceAll(",", ""));
  return { at, expression: new RegExp(source, flags), maxLetters };
}

function isConstruction({ type, callee }: Node): boolean {
  return (
    (type === "NewExpression" || type === "CallExpression") &&
    isJsonObject(callee) &&
    callee["type"] === "Identifier" &&
    callee["name"] === "RegExp"
  );
}

function literalOf({ type, regex }: Node): readonly [string, string] | undefined {
  if (type !== "Literal" || !isJsonObject(regex)) return undefined;
  return [String(regex["pattern"]), String(regex["flags"])];
}

/** The pattern of a schema, which is compiled with the flag `u`. */
function patternOf({ type, key, value }: Node): readonly [string, string] | undefined {
  const isPattern =
    type === "Property" && isJsonObject(key) && key["name"] === "pattern" && isJsonObject(value);
  return isPattern && typeof value["value"] === "string" ? [value["value"], "u"] : undefined;
}
