import { describe, expect, it } from "vitest";
import { repositoryFiles, textOf } from "./repository.ts";

const MAX_LINES = 300;

const files = repositoryFiles();
const code = files.filter((path) => path.endsWith(".ts"));
const texts = files.filter((path) => /\.(ts|md|json|html|css|sh|yml)$|^\.[a-z/]+$|^LICENSE$/.test(path));

/** Paths of one machine, and addresses of package registries, put together so that this file has none. */
const NOT_OURS = new RegExp(
  [
    ["/", "(?:work|tmp|home|root)/"].join(""),
    ["registry\\.npm", "js"].join(""),
    ["npm", "mirror"].join(""),
    ["verd", "accio"].join(""),
  ].join("|"),
);

/** Programs that every machine has that can install this project. */
const EVERYWHERE = ["chmod", "cp", "git", "mkfifo", "npm", "npx", "sh"];

/** Programs whose first run decides whether the tests that need them run. */
const PROBED = ["dotnet", "mount", "umount", "unshare"];

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface NodePackageFile {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, unknown>>;
}

describe("files", () => {
  it("of code have no default export", () => {
    const wrong = code.filter(
      (path) =>
        !/^(dashboard\/vite|vitest)\.config\.ts$/.test(path) &&
        /^export default\b|\bas default\b/m.test(textOf(path)),
    );
    expect(wrong).toEqual([]);
  });

  it(`of code fit a few screens: ${MAX_LINES} lines at most`, () => {
    const long = code
      .map((path) => ({ path, lines: textOf(path).split("\n").length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it("of code switch off no check", () => {
    const wrong = code.filter((path) =>
      new RegExp(["@ts-", "(?:ignore|expect-error|nocheck)|", "biome-", "ignore"].join("")).test(
        textOf(path),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("that describe a folder exist for each folder at the top of the repository, and for no deeper one", () => {
    const top = new Set(code.filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
    expect([...top].filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
    const deeper = files.filter((path) => /^(?!deploy\/)[^/]+\/.*\/README\.md$/.test(path));
    expect(deeper).toEqual([]);
  });

  it("name no path of one machine and no package registry", () => {
    const wrong = texts.flatMap((path) =>
      textOf(path)
        .split("\n")
        .flatMap((line, index) => (NOT_OURS.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  it("of tests read `../shared` by the helper that skips them where it is absent, and no other way", () => {
    const readers = files.filter((path) => /^(src|test|client|dashboard)\/.*\.tsx?$/.test(path));
    const name = ["..", "shared/"].join("/");
    expect(readers.filter((path) => textOf(path).includes(name))).toEqual(["test/kit/needs.ts"]);
  });

  it("of tests start no program that a machine may lack, unless they are skipped without it", () => {
    const started = /\b(?:spawn|spawnSync|execFile|execFileSync|startProgram|runProgram)\(\s*"([\w-]+)"/g;
    const wrong = code
      .filter((path) => /\.test\.ts$|^test\//.test(path))
      .flatMap((path) => {
        const text = textOf(path);
        return [...text.matchAll(started)]
          .map(([, name = ""]) => name)
          .filter((name) => !EVERYWHERE.includes(name) && !PROBED.includes(name))
          .filter((name) => !text.includes(`program("${name}"`))
          .map((name) => `${path}: ${name}`);
      });
    expect(wrong).toEqual([]);
  });

  it("read the environment in one place", () => {
    const readers = code.filter((path) => path.startsWith("src/") && /process\.env\b/.test(textOf(path)));
    expect(readers).toEqual(["src/main.ts"]);
  });
});

describe("package.json", () => {
  const { dependencies, devDependencies: all } = JSON.parse(textOf("package.json")) as PackageFile;

  it("has whoever installs a release install nothing else: what the program needs is built into it", () => {
    expect(dependencies).toBeUndefined();
  });

  it("pins every dependency exactly", () => {
    const loose = Object.entries(all).filter(
      ([, version]) => !/^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it("has one version of Node.js for all systems, pinned like every other package, with its content in the lock", () => {
    const { optionalDependencies } = JSON.parse(textOf("build/node/package.json")) as NodePackageFile;
    const { packages } = JSON.parse(textOf("package-lock.json")) as LockFile;
    const [, image = ""] = /^ARG NODE_IMAGE=node:([0-9.]+)-/m.exec(textOf("Dockerfile")) ?? [];
    for (const [name, version] of Object.entries(optionalDependencies)) {
      expect(version).toBe(image);
      const integrity = expect.stringMatching(/^sha512-/);
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity, optional: true });
    }
    expect(Object.keys(optionalDependencies).length).toBeGreaterThan(1);
  });

  it("has a lock without the address of any registry", () => {
    // The folder of a workspace is in this checkout.
    const addresses = textOf("package-lock.json").matchAll(/"resolved": "([^"]+)"/g);
    expect([...addresses].map(([, address]) => address)).toEqual(["build/node"]);
  });
});
