/** Builds `client/dist` from `client/src`: self-contained modules and their types. Prints the size of each entry. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "vite";
import { replaceFolder } from "./replaceFolder.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CLIENT = join(ROOT, "client");

const ENTRIES = {
  index: join(CLIENT, "src/index.ts"),
  jobs: join(CLIENT, "src/jobs/index.ts"),
  monitors: join(CLIENT, "src/monitors/index.ts"),
  element: join(CLIENT, "src/element/index.ts"),
};

/** The bytes after gzip that a page loads for each entry. */
export type ClientSizes = Readonly<Record<keyof typeof ENTRIES, number>>;

/** Matches imports with `.ts` endings, which the compiler keeps in types. Users' compilers need `.js`. */
const SOURCE_IMPORT = /(from "\.[^"]+)\.ts"/g;

/**
 * Shortens the element's styles. They are a string, which minifiers ignore, and their spaces are a tenth of the
 * element.
 */
const shortStyles: Plugin = {
  name: "short-styles",
  transform(code, id) {
    if (!id.endsWith("/element/styles.ts")) return undefined;
    return code.replace(/`[^`]+`/g, (css) =>
      css
        .replace(/\s+/g, " ")
        .replace(/ ?([{};,]|: ) ?/g, (_, sign: string) => sign.trim())
        .replaceAll(";}", "}"),
    );
  },
};

/** Builds into an empty folder. Code that entries share is a separate file, so that a page loads it once. */
export async function buildClient(outDir: string): Promise<ClientSizes> {
  await bundle(ENTRIES, outDir);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const words = ["-p", CLIENT, "--noEmit", "false", "--incremental", "false", "--tsBuildInfoFile", "null"];
  execFileSync(
    process.execPath,
    [tsc, ...words, "--declaration", "--emitDeclarationOnly", "--checkers", "1", "--outDir", outDir],
    { stdio: "inherit" },
  );
  for (const file of globSync("**/*.d.ts", { cwd: outDir })) {
    const path = join(outDir, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(SOURCE_IMPORT, '$1.js"'));
  }
  return {
    index: loadedBy("index.js", outDir),
    jobs: loadedBy("jobs.js", outDir),
    monitors: loadedBy("monitors.js", outDir),
    element: loadedBy("element.js", outDir),
  };
}

/** Builds the element alone: `element.js`, which imports nothing. */
export async function buildElement(outDir: string): Promise<void> {
  await bundle({ element: ENTRIES.element }, outDir);
}

async function bundle(entry: Readonly<Record<string, string>>, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: CLIENT,
    logLevel: "error",
    publicDir: false,
    plugins: [shortStyles],
    build: {
      outDir,
      emptyOutDir: false,
      target: "es2022",
      minify: true,
      modulePreload: false,
      lib: { entry, formats: ["es"] },
      rolldownOptions: {
        // By default a library build keeps whitespace and annotations for minifiers.
        output: { entryFileNames: "[name].js", chunkFileNames: "shared.js", minify: true, comments: false },
      },
    },
  });
}

/** Returns the bytes of a file and of all that it imports, each counted once. */
function loadedBy(name: string, folder: string): number {
  const names = new Set([name]);
  let bytes = 0;
  for (const file of names) {
    const code = readFileSync(join(folder, file));
    bytes += gzipSync(code, { level: 9 }).length;
    for (const [, other = ""] of code.toString().matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      names.add(other);
  }
  return bytes;
}

if (import.meta.main) {
  const { index, jobs, monitors, element } = await replaceFolder(join(CLIENT, "dist"), buildClient);
  console.error(
    `@opzoek/client: ${index} bytes after gzip; @opzoek/client/jobs: ${jobs}; @opzoek/client/monitors: ${monitors}; @opzoek/client/element: ${element}`,
  );
}
