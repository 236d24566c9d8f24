import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { afterFile } from "./afterFile.ts";

/**
 * One file of JavaScript out of one of TypeScript and all that it imports, kept until the file's tests have ended. A process that is
 * started for every moment of a kill reads this one; the sources are a hundred, which takes longer than what it does with them.
 * @returns its address, to be imported
 */
export async function bundled(entry: string): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "opzoek-bundled-"));
  afterFile(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: true },
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
