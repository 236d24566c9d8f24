import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { afterFile } from "./afterFile.ts";

/**
 * Bundles a TypeScript file and its imports into one JavaScript file, deleted after the file's tests. Processes that
 * start for every moment of a kill load it faster than a hundred sources.
 * @returns the URL to import
 */
export async function bundled(entry: string): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "opzoek-bundled-"));
  afterFile(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: true },
    // Files that the sources read stay next to them.
    plugins: [
      {
        name: "sources-in-place",
        transform: (code, id) => code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
      },
    ],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: "es2024",
      minify: false,
      rolldownOptions: {
        input: { [basename(entry, ".ts")]: entry },
        output: { entryFileNames: "[name].js", codeSplitting: false },
      },
    },
  });
  return pathToFileURL(join(outDir, `${basename(entry, ".ts")}.js`)).href;
}
