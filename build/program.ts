/** Builds `dist/` from `src/`: the program, its worker threads and the process that builds name indexes. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { packagedPasswords } from "../src/accounts/packagedPasswords.ts";
import { layoutsOfSources } from "../src/app/release.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { describeApi } from "./describeApi.ts";
import { replaceFolder } from "./replaceFolder.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = resolve(ROOT, "src");
const BUILT = resolve(ROOT, "dist");

const PROGRAM = resolve(SOURCES, "main.ts");
const THREADS = [
  resolve(SOURCES, "app/state/thread/sqliteThread.ts"),
  resolve(SOURCES, "registry/names/namesWorker.ts"),
  resolve(SOURCES, "registry/names/namesBuilder.ts"),
  resolve(SOURCES, "registry/names/indexingWorker.ts"),
  resolve(SOURCES, "match/thread/matchWorker.ts"),
];
/** Modules in one file: those that every command loads, and those that a service starts before it loads the rest. */
const FIRST = ["cli/program.ts", "app/commandContext.ts", "cli/serve.ts", "app/compose/early.ts"].map(
  (path) => resolve(SOURCES, path),
);
/** Modules in the service's file. Parts that only some commands or services need stay separate. */
const SERVICE = [resolve(SOURCES, "app/compose/service.ts")];

/** An optional addition to the PostgreSQL client, which is not installed. */
const LEFT_OUT = ["pg-native"];

/** Rewrites file URLs of the sources: worker threads and built files are next to the program, others stay in place. */
function keepPlaces(): Plugin {
  return {
    name: "keep-places",
    transform(code, id) {
      if (!id.startsWith(SOURCES)) return undefined;
      return code.replace(/new URL\("([^"]+)", import\.meta\.url\)/g, (_, named: string) => {
        const path = resolve(id, "..", named);
        const place = path.endsWith(".ts")
          ? `./${basename(path, ".ts")}.js`
          : path.includes(".built.")
            ? `./${basename(path)}`
            : relative(BUILT, path);
        return `new URL(${JSON.stringify(place)}, import.meta.url)`;
      });
    },
  };
}

/**
 * Importing `node:http` as a namespace evaluates all its exports, including `fetch`, which takes a twentieth of a
 * start.
 */
function httpAlone(): Plugin {
  const id = "\0node:http";
  return {
    name: "http-alone",
    enforce: "pre",
    resolveId: (source) => (/^(?:node:)?http$/.test(source) ? id : undefined),
    load: (loaded) => (loaded === id ? 'module.exports = process.getBuiltinModule("node:http");' : undefined),
  };
}

/**
 * Escapes non-ASCII characters: with one of them Node.js stores the whole file as UTF-16, which takes twice as long to
 * read.
 */
function asciiAlone(): Plugin {
  return {
    name: "ascii-alone",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk") file.code = file.code.replace(BEYOND_ASCII, escaped);
      }
    },
  };
}

const BEYOND_ASCII = /(\\*)([\u0080-\uffff])/g;

/** A preceding backslash would escape the escape's own backslash, so it is dropped. */
function escaped(_: string, backslashes: string, letter: string): string {
  const kept = backslashes.length % 2 === 0 ? backslashes : backslashes.slice(1);
  return `${kept}\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Collects the modules that files import, directly or indirectly, except for dynamic imports. */
function reachableFrom(files: readonly string[], into: Set<string>): Plugin {
  return {
    name: "reachable",
    buildEnd() {
      const waiting = [...files];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (into.has(id)) continue;
        into.add(id);
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
  };
}

async function buildOne(entry: string, outDir: string): Promise<void> {
  const name = basename(entry, ".ts");
  const first = new Set<string>();
  const served = new Set<string>();
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    publicDir: false,
    plugins: [
      keepPlaces(),
      httpAlone(),
      asciiAlone(),
      reachableFrom(FIRST, first),
      reachableFrom(SERVICE, served),
    ],
    ssr: { noExternal: true, external: LEFT_OUT },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: "es2024",
      minify: false,
      // The threads use the same packages.
      license: entry === PROGRAM && { fileName: "third-party.txt" },
      rolldownOptions: {
        input: { [name]: entry },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: `${name}-[name].js`,
          codeSplitting:
            entry === PROGRAM
              ? {
                  groups: [
                    { name: "first", test: (id) => first.has(id), priority: 1 },
                    { name: "service", test: (id) => served.has(id) },
                  ],
                }
              : false,
        },
      },
    },
  });
}

/** Returns the commit, such as `1a2b3c4d5e6f`, with `-dirty` if files have changed since. */
const DESCRIBE = ["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty"];

/** The commit of the build. Builds without history set COMMIT. */
function builtCommit(): string {
  const { COMMIT } = process.env;
  if (COMMIT !== undefined && COMMIT !== "") return COMMIT;
  try {
    return execFileSync("git", DESCRIBE, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}

await replaceFolder(BUILT, async (outDir) => {
  for (const thread of THREADS) await buildOne(thread, outDir);
  writeFileSync(join(outDir, "release.built.json"), JSON.stringify(await layoutsOfSources(builtCommit())));
  writeFileSync(join(outDir, "api.built.json"), JSON.stringify(await describeApi(ENDPOINTS)));
  writeFileSync(join(outDir, "commonPasswords.built.txt"), packagedPasswords());
  // Written last: its time is the time of the build.
  await buildOne(PROGRAM, outDir);
});
