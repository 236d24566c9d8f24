/** The examples of the client, in its README and in files, and the public names. */
import * as client from "../../client/src/index.ts";
import * as lists from "../../client/src/jobs/index.ts";
import * as monitors from "../../client/src/monitors/index.ts";
import { repositoryFiles, textOf } from "../architecture/repository.ts";

export const SHOWN_ADDRESS = "http://127.0.0.1:8080";

export const README = textOf("client/README.md");

/** The examples in a language, as shown on a page. */
export function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, code = ""]) => code);
}

/** The output of a block, according to its comments. */
export function printedBy(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\)[;,}) ]* \/\/ (.*)$/gm)].map(([, text = ""]) => text);
}

/** Whether a block belongs to a page that contains the element. */
export function isOfPage(code: string): boolean {
  return code.includes("document.");
}

/** The files of examples with a name that matches. */
function filesOf(name: RegExp): string[] {
  return repositoryFiles().filter((path) => name.test(path));
}

/** The programs of the examples. */
export const PROGRAMS: readonly (readonly [name: string, code: string])[] = [
  ...blocksOf(README, "js")
    .filter((code) => !isOfPage(code))
    .map((code, at) => [`example ${at + 1} of the client's README`, code] as const),
  ...filesOf(/^client\/examples\/\w+\.mjs$/).map((path) => [path, textOf(path)] as const),
];

/** The examples of types. */
export const TYPES = [
  ...blocksOf(README, "ts"),
  ...filesOf(/^client\/examples\/types\/\w+\.ts$/).map((path) => textOf(path)),
];

/** Every example that a test runs or compiles. */
export const ALL_BLOCKS = [
  ...PROGRAMS.map(([, code]) => code),
  ...TYPES,
  ...["js", "html"].flatMap((language) => blocksOf(README, language)),
].join("\n");

const ENTRIES = ["index", "jobs/index", "monitors/index", "element/index", "errors"];

/** The names that the entries export: classes and functions from the modules, types from the sources. */
export function publicNames(): string[] {
  const types = ENTRIES.flatMap((name) => {
    const source = textOf(`client/src/${name}.ts`);
    const declared = [...source.matchAll(/^export (?:class|interface|type) (\w+)/gm)].map(
      ([, one = ""]) => one,
    );
    const passedOn = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
      names.split(",").map((one) => one.replace(/^\s*type /, "").trim()),
    );
    return [...declared, ...passedOn];
  });
  return [...new Set([...types, ...Object.keys({ ...client, ...lists, ...monitors })])].filter(
    (name) => name !== "",
  );
}
