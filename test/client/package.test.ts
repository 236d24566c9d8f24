/** The published client: its types match the contract, it is small, and it works from its tarball alone. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { clientTypes } from "../../build/clientTypes.ts";
import { ROOT, repositoryFiles, textOf } from "../architecture/repository.ts";
import { checkoutState } from "../kit/checkout.ts";
import { runProgram } from "../kit/program.ts";
import { variants } from "../kit/thorough.ts";
import { describeElementExample } from "./elementExample.ts";
import { describeExamples } from "./examples.ts";
import type { Installed } from "./packed.ts";
import { TYPES } from "./readme.ts";
import { describeRuntimes } from "./runtimes.ts";
import { openStage, type Stage } from "./stage.ts";

const MAX_CLIENT_BYTES = 6 * 1024;
const MAX_JOBS_BYTES = 6 * 1024;
const MAX_MONITORS_BYTES = 6 * 1024;
const MAX_ELEMENT_BYTES = 9 * 1024;

const checkoutBefore = checkoutState();
let stage: Stage;
let installed: Installed;
beforeAll(async () => {
  stage = await openStage();
  installed = stage.installed;
});

it("the client has exactly the types of the contract: `npm run openapi` writes them", async () => {
  const written = await clientTypes();
  for (const [name, text] of Object.entries(written)) expect(textOf(`client/src/api/${name}`)).toBe(text);
  const committed = repositoryFiles().filter((path) => /^client\/src\/api\/.*\.ts$/.test(path));
  expect(committed).toEqual(
    Object.keys(written)
      .map((name) => `client/src/api/${name}`)
      .sort(),
  );
});

describe("the tarball", () => {
  it("holds the build, its licence and its README, and has no dependencies", () => {
    expect(installed.paths).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "package.json",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/jobs.js",
        "dist/jobs/index.d.ts",
        "dist/monitors.js",
        "dist/monitors/index.d.ts",
        "dist/element.js",
        "dist/element/index.d.ts",
      ]),
    );
    const known = /^(LICENSE|README\.md|package\.json|dist\/[\w/]+\.(js|d\.ts))$/;
    expect(installed.paths.filter((path) => !known.test(path))).toEqual([]);
    const modules = join(installed.folder, "node_modules");
    expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["@opzoek"]);
  });

  it("is within the promised size", () => {
    const { index, jobs, monitors, element } = installed.sizes;
    expect(index).toBeLessThanOrEqual(MAX_CLIENT_BYTES);
    expect(jobs).toBeLessThanOrEqual(MAX_JOBS_BYTES);
    expect(monitors).toBeLessThanOrEqual(MAX_MONITORS_BYTES);
    expect(element).toBeLessThanOrEqual(MAX_ELEMENT_BYTES);
  });

  it("is packed without changing the checkout, which other tests use at the same time", () => {
    expect(checkoutState()).toEqual(checkoutBefore);
  });

  it("imports only its own files", () => {
    const modules = join(installed.folder, "node_modules/@opzoek/client/dist");
    const scripts = installed.paths.filter((path) => path.endsWith(".js"));
    const imported = scripts.flatMap((path) =>
      [...readFileSync(join(modules, "..", path), "utf8").matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)].map(
        ([, name]) => name,
      ),
    );
    expect(imported.filter((name) => !/^\.\/\w+\.js$/.test(name ?? ""))).toEqual([]);
  });

  it.each(variants(["nodenext", "bundler"], { ordinary: 1 }))(
    "has types that a strict compiler accepts in full, with the examples of types (%s)",
    async (resolution) => {
      const uses = `import { Opzoek, type Company } from "@opzoek/client";
import { Jobs, type SubmittedJob } from "@opzoek/client/jobs";
import { Monitors } from "@opzoek/client/monitors";
import "@opzoek/client/element";
export const nameOf = (company: Company): string => company.name;
export const vatNumbers = async (jobs: Jobs, job: SubmittedJob<"vat">): Promise<void> => {
  for await (const { result } of jobs.results(job))
    if (result !== undefined && result.status !== "malformed") console.log(result.valid);
};
export const all = [Opzoek, Jobs, Monitors];
`;
      const sources = [uses, ...TYPES];
      const files = sources.map((source, at) => {
        const name = `uses-${at}.ts`;
        writeFileSync(join(installed.folder, name), source);
        return name;
      });
      const compilerOptions = {
        module: resolution === "bundler" ? "esnext" : resolution,
        moduleResolution: resolution,
        target: "es2022",
        lib: ["es2022", "dom"],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      };
      writeFileSync(join(installed.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
      await runProgram(process.execPath, [tsc, "-p", installed.folder]);
    },
  );
});

describeExamples(() => stage);
describeElementExample(() => stage);
describeRuntimes(() => stage);
