/** Builds `dist/` out of `src/`: the program, and each of its threads with what that thread needs alone. */
import { rmSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = resolve(ROOT, "src");
const BUILT = resolve(ROOT, "dist");

const PROGRAM = resolve(SOURCES, "main.ts");
const THREADS = [
  resolve(SOURCES, "storage/sqlite/writer.ts"),
  resolve(SOURCES, "snapshot/names/namesWorker.ts"),
  resolve(SOURCES, "snapshot/names/indexingWorker.ts"),
  resolve(SOURCES, "import/threads/readingWorker.ts"),
  resolve(SOURCES, "snapshot/upkeep/upkeepWorker.ts"),
];
/** What a service loads when it starts is one file; what only some commands or some services need stays apart. */
const SERVICE = resolve(SOURCES, "app/compose/service.ts");

/** An addition to the PostgreSQL client that is not installed. */
const LEFT_OUT = ["pg-native"];

/** Files that a source names beside itself: a thread lies beside the program, all else where it was. */
function keepPlaces(): Plugin {
  return {
    name: "keep-places",
    transform(code, id) {
      if (!id.startsWith(SOURCES)) return undefined;
      return code.replace(/new URL\("([^"]+)", import\.meta\.url\)/g, (_, named: string) => {
        const path = resolve(id, "..", named);
        const place = path.endsWith(".ts") ? `./${basename(path, ".ts")}.js` : relative(BUILT, path);
        return `new URL(${JSON.stringify(place)}, import.meta.url)`;
      });
    },
  };
}

/** An import of `node:http` by that name reads all that it exports, `fetch` among it: that loads a twentieth of a start. */
function httpAlone(): Plugin {
  const id = "\0node:http";
  return {
    name: "http-alone",
    enforce: "pre",
    resolveId: (source) => (/^(?:node:)?http$/.test(source) ? id : undefined),
    load: (loaded) => (loaded === id ? 'module.exports = process.getBuiltinModule("node:http");' : undefined),
  };
}

/** Gathers `into` the modules that a file imports, on and on, but for what it imports only when needed. */
function reachableFrom(file: string, into: Set<string>): Plugin {
  return {
    name: "reachable",
    buildEnd() {
      const waiting = [file];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (into.has(id)) continue;
        into.add(id);
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
  };
}

async function buildOne(entry: string): Promise<void> {
  const name = basename(entry, ".ts");
  const served = new Set<string>();
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    publicDir: false,
    plugins: [keepPlaces(), httpAlone(), reachableFrom(SERVICE, served)],
    ssr: { noExternal: true, external: LEFT_OUT },
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: false,
      target: "es2024",
      minify: false,
      rolldownOptions: {
        input: { [name]: entry },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: `${name}-[name].js`,
          codeSplitting:
            entry === PROGRAM ? { groups: [{ name: "service", test: (id) => served.has(id) }] } : false,
        },
      },
    },
  });
}

rmSync(BUILT, { recursive: true, force: true });
for (const thread of THREADS) await buildOne(thread);
// Last: the time of this one says when all was built.
await buildOne(PROGRAM);
