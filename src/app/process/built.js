// Plain JavaScript, because it is loaded before anything is compiled.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Returns the URL of the built program; undefined if there is none, or if a source was changed after the build. An
 * installed package has no sources, and its folders are newer than their files.
 * @param {string} root the folder with `src`, `build` and `dist`
 */
export function builtProgram(root = ROOT) {
  const path = join(root, "dist", "main.js");
  const built = statSync(path, { throwIfNoEntry: false });
  if (built === undefined) return undefined;
  if (!existsSync(join(root, "src", "main.ts"))) return pathToFileURL(path).href;
  // Folders too: their time changes when a file is deleted.
  const sources = ["src", "build"].flatMap((name) => {
    const folder = join(root, name);
    return [folder, ...readdirSync(folder, { recursive: true }).map((file) => join(folder, file))];
  });
  const isOld = sources.some((source) => statSync(source).mtimeMs > built.mtimeMs);
  return isOld ? undefined : pathToFileURL(path).href;
}
