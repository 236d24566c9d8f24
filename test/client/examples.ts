import { describe, expect, it } from "vitest";
import * as client from "../../client/src/index.ts";
import * as lists from "../../client/src/jobs/index.ts";
import { Monitors } from "../../client/src/monitors/index.ts";
import { ALL_BLOCKS, PROGRAMS, printedBy, publicNames, SHOWN_ADDRESS } from "./readme.ts";
import type { Stage } from "./stage.ts";

const blocks = PROGRAMS.map(([, code]) => code);
/** The names made by the first block, for later blocks that use them. */
const MADE = ["opzoek", "jobs"].map((name) => {
  const making = blocks.find((code) => code.includes(`const ${name} =`)) ?? "";
  return {
    name,
    lines: making.split("\n").filter((line) => line.startsWith(`const ${name} =`) || isImport(line)),
  };
});

function isImport(line: string): boolean {
  return line.startsWith("import ");
}

/** Turns a block into a program for this service: imports first, then the names that earlier blocks made. */
function programOf(code: string, address: string): string {
  const lines = code.split("\n");
  const setup = MADE.filter(
    ({ name }) => new RegExp(`\\b${name}\\b|\\bOpzoek\\b`).test(code) && !code.includes(`const ${name} =`),
  ).flatMap((made) => made.lines);
  if (setup.length === 0) return code.replaceAll(SHOWN_ADDRESS, address);
  const imports = [...setup, ...lines].filter(isImport);
  return [...new Set(imports), ...[...setup, ...lines].filter((line) => !isImport(line))]
    .join("\n")
    .replaceAll(SHOWN_ADDRESS, address);
}

/** The examples of the client: installed from the tarball, run against the demo. */
export function describeExamples(stage: () => Stage): void {
  describe("the examples print the documented output, and", () => {
    it.each(PROGRAMS)("%s", async (_, code) => {
      const { demo, installed, key, testKey } = stage();
      const program = programOf(code, demo.address);
      const { out } = await installed.run("example.mjs", program, {
        OPZOEK_KEY: key,
        OPZOEK_TEST_KEY: testKey,
      });
      expect(printedBy(code)).not.toEqual([]);
      expect(out.split("\n").filter((line) => line !== "")).toEqual(printedBy(code));
    });

    it.each([client.Opzoek, lists.Jobs, Monitors])("cover every method: %o", ({ prototype }) => {
      const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
      const code = blocks.join("\n");
      expect(methods.filter((name) => !new RegExp(`\\.${name}\\b`).test(code))).toEqual([]);
    });

    it("use everything that is public, in code that is run or compiled", () => {
      const names = publicNames();
      expect(names).toEqual(expect.arrayContaining(["Opzoek", "PartialBatch", "ResultLine", "Failure"]));
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(ALL_BLOCKS))).toEqual([]);
    });
  });
}
