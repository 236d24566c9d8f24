import { describe, expect, it } from "vitest";
import { importsOf, repositoryFiles, textOf } from "./repository.ts";

const ROOMS = ["registry", "vat", "metering", "accounts"];

/** What each part of `src` may import beside itself. A part is a folder, or a file that stands in none. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  lib: [],
  upstream: ["lib"],
  registry: ["contract", "lib", "upstream"],
  vat: ["contract", "lib", "upstream"],
  metering: ["contract", "lib"],
  accounts: ["contract", "lib"],
  storage: ["contract", "lib", ...ROOMS],
  http: ["contract", "lib", ...ROOMS],
  cli: ["contract", ...ROOMS, "config.ts", "settingRules.ts"],
  mail: ["contract", "accounts"],
  "settingRules.ts": ["contract"],
  "upstreamSettings.ts": ["settingRules.ts"],
  "config.ts": ["contract", "settingRules.ts", "upstreamSettings.ts"],
  "errorFacts.ts": ["contract"],
  "logOutput.ts": [],
  "outage.ts": [],
  "failureLog.ts": ["metering", "storage", "errorFacts.ts", "log.ts", "outage.ts"],
  "log.ts": ["config.ts", "errorFacts.ts", "logOutput.ts"],
  "health.ts": ["http", "registry", "vat"],
  "live.ts": ["contract", "registry", "accounts", "storage", "config.ts", "log.ts"],
  "temporaryFiles.ts": ["registry"],
  "followed.ts": ["registry", "config.ts", "log.ts"],
  "workers.ts": ["cli"],
  "version.ts": [],
  "state.ts": ["storage", "config.ts"],
  "unknownTiers.ts": ["contract", "accounts"],
  "runWorkers.ts": [
    ...["http", "cli", "compose.ts", "config.ts", "log.ts", "state.ts", "unknownTiers.ts", "workers.ts"],
  ],
  "composeAccount.ts": ["contract", ...ROOMS, "storage", "http", "mail", "config.ts", "log.ts"],
  "compose.ts": [
    ...["contract", ...ROOMS, "storage", "http", "cli", "composeAccount.ts"],
    ...[
      "config.ts",
      "log.ts",
      "failureLog.ts",
      "followed.ts",
      "health.ts",
      "live.ts",
      "state.ts",
      "version.ts",
    ],
    "unknownTiers.ts",
  ],
  "context.ts": [
    ...["contract", ...ROOMS, "storage", "http", "cli"],
    ...[
      "config.ts",
      "compose.ts",
      "live.ts",
      "state.ts",
      "temporaryFiles.ts",
      "runWorkers.ts",
      "unknownTiers.ts",
      "version.ts",
      "workers.ts",
    ],
  ],
  "main.ts": ["preflight.js", "cli", "context.ts", "worker.ts"],
  "worker.ts": ["cli", "compose.ts", "config.ts", "context.ts", "workers.ts"],
};

/** Packages that only some parts may know; any part may use Node's own but SQLite and threads. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  fastify: ["http", "compose.ts"],
  kysely: ["storage"],
  commander: ["cli"],
  pino: ["log.ts"],
  typebox: ["contract", "http", "registry"],
  "node:sqlite": ["registry", "storage"],
  "node:worker_threads": ["storage", "registry"],
  "node:http": ["http", "vat", "upstream", "registry"],
  undici: ["upstream", "registry"],
  cockatiel: ["upstream"],
  nodemailer: ["mail"],
  "@zxcvbn-ts/language-common": ["accounts"],
};

const sources = repositoryFiles().filter((path) => /^src\/.*\.ts$/.test(path));
const graph = new Map(sources.map((path) => [path, importsOf(path)]));
const ENTRY = "src/main.ts";
const productive = sources.filter((path) => !/\.(test|fixture)\.ts$/.test(path));

/** The part of `src` that a file belongs to; a test belongs to what it stands beside. */
function partOf(path: string): string {
  return (path.split("/")[1] ?? "").replace(/\.test\.ts$/, ".ts");
}

/** Some files and all that they import, on and on. */
function reachableFrom(starts: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(graph.get(path)?.files ?? []));
  }
  return reached;
}

/** The first way from a file back to itself. */
function findCycle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path)?.files ?? []) {
      const cycle = visit(next, [...way, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of sources) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe("imports", () => {
  it("are all read: each leads to a file of the repository", () => {
    const known = new Set(repositoryFiles());
    const lost = [...graph].flatMap(([path, { files }]) =>
      files.filter((file) => !known.has(file)).map((file) => `${path} → ${file}`),
    );
    expect(lost).toEqual([]);
    expect(graph.get("src/main.ts")?.files).toEqual([
      "src/app/process/preflight.js",
      "src/app/process/worker.ts",
      "src/cli/program.ts",
      "src/app/commandContext.ts",
    ]);
    expect(graph.get("src/storage/sqlite/embeddedState.ts")?.files).toContain("src/storage/sqlite/writer.ts");
  });

  it("run one way: contract, lib ← upstream ← rooms ← storage, http, cli ← compose ← main", () => {
    const wrong = [...graph].flatMap(([path, { files }]) => {
      const part = partOf(path);
      const allowed = [part, ...(MAY_IMPORT[part] ?? [])];
      return files.filter((file) => !allowed.includes(partOf(file))).map((file) => `${path} → ${file}`);
    });
    expect(wrong).toEqual([]);
  });

  it("know every part of src", () => {
    expect(new Set(sources.map(partOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  it("stay inside src: the program needs no test and no benchmark", () => {
    const outside = [...graph].flatMap(([path, { files }]) =>
      files.filter((file) => !file.startsWith("src/")).map((file) => `${path} → ${file}`),
    );
    expect(outside).toEqual([]);
  });

  it("form no cycle", () => {
    expect(findCycle()).toBeUndefined();
  });

  it("of a package stay in the parts that it is for", () => {
    const wrong = productive.flatMap((path) =>
      (graph.get(path)?.packages ?? [])
        .filter((name) => ONLY_IN[name] !== undefined && !ONLY_IN[name].includes(partOf(path)))
        .map((name) => `${path} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("hold no file that neither the program nor a test uses", () => {
    const used = reachableFrom([ENTRY, ...sources.filter((path) => path.endsWith(".test.ts"))]);
    const elsewhere = repositoryFiles().filter((path) => /^(test|bench)\/.*\.ts$/.test(path));
    for (const path of elsewhere) for (const file of importsOf(path).files) used.add(file);
    expect(sources.filter((path) => !used.has(path))).toEqual([]);
  });
});

/** The packages that a package expects whoever uses it to bring along. */
function peersOf(name: string): string[] {
  const { peerDependencies = {} } = JSON.parse(textOf(`node_modules/${name}/package.json`)) as {
    peerDependencies?: Record<string, string>;
  };
  return Object.keys(peerDependencies);
}

describe("the program", () => {
  it("is reached from main.ts and uses, with its page, its dependencies, all of them and no others", () => {
    const page = repositoryFiles().filter((path) => /^dashboard\/.*\.tsx?$/.test(path));
    const packages = new Set([
      ...[...reachableFrom([ENTRY])].flatMap((path) => graph.get(path)?.packages ?? []),
      ...page.flatMap((path) => importsOf(path).packages),
    ]);
    const used = [...packages].filter((name) => !name.startsWith("node:"));
    const { dependencies } = JSON.parse(textOf("package.json")) as { dependencies: Record<string, string> };
    // What a package wants beside it is used by that package.
    const peers = used.flatMap(peersOf).filter((name) => Object.hasOwn(dependencies, name));
    expect([...new Set([...used, ...peers])].sort()).toEqual(Object.keys(dependencies).sort());
  });
});
