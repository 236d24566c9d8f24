import { describe, expect, it } from "vitest";
import * as client from "../../client/src/index.ts";
import { textOf } from "../architecture/repository.ts";
import type { Stage } from "./stage.ts";

const SHOWN_ADDRESS = "http://127.0.0.1:8080";
const readme = textOf("client/README.md");
const blocksOf = (page: string) => [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
const blocks = blocksOf(readme);
const [first = ""] = blocks;
const all = [
  ...blocks.map((code, at) => [`example ${at + 1} of the client's README`, code] as const),
  ...blocksOf(textOf("README.md")).map((code) => ["the one of the project's README", code] as const),
];

/** What a block prints, as its comments say. */
function printedBy(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\)[;,}) ]* \/\/ (.*)$/gm)].map(([, text = ""]) => text);
}

const isImport = (line: string): boolean => line.startsWith("import ");

/** A block as a program that asks this service. Imports come first; what the other blocks use is the client of the first. */
function programOf(code: string, address: string): string {
  const lines = code.split("\n");
  const setup = code.includes("const opzoek =")
    ? []
    : first.split("\n").filter((line) => /new Opzoek|^import/.test(line));
  const imports = [...setup, ...lines].filter(isImport);
  return [...new Set(imports), ...[...setup, ...lines].filter((line) => !isImport(line))]
    .join("\n")
    .replaceAll(SHOWN_ADDRESS, address);
}

/** The examples of the client's README: installed from the tarball, run against the demo. */
export function describeExamples(stage: () => Stage): void {
  describe("the examples print what stands beside them, and", () => {
    it.each(all)("%s", async (_, code) => {
      const { demo, installed, key } = stage();
      const program = programOf(code, demo.address);
      const { out } = await installed.run("example.mjs", program, { OPZOEK_KEY: key });
      expect(printedBy(code)).not.toEqual([]);
      expect(out.split("\n").filter((line) => line !== "")).toEqual(printedBy(code));
    });

    it("are there for every method, and name every class", () => {
      const methods = Object.getOwnPropertyNames(client.Opzoek.prototype).filter(
        (name) => name !== "constructor",
      );
      const code = blocks.join("\n");
      expect(methods.filter((name) => !new RegExp(`\\.${name}\\b`).test(code))).toEqual([]);
      expect(Object.keys(client).filter((name) => !readme.includes(name))).toEqual([]);
    });
  });
}
