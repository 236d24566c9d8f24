import { basename } from "node:path";
import type { Plugin } from "vite";
import { builtProgram } from "../../src/app/process/built.js";

const THREAD = /new URL\("([^"]+\.ts)", import\.meta\.url\)/g;

/**
 * Starts worker threads of the test's own process from `dist`, as the program does: loading them from source takes
 * three times as long. Without a fresh `dist` they start from source.
 */
export function builtThreads(): Plugin {
  return {
    name: "built-threads",
    transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id) || !code.includes("new Worker(")) return undefined;
      const built = builtProgram();
      if (built === undefined) return undefined;
      return code.replace(
        THREAD,
        (_, file: string) => `new URL(${JSON.stringify(new URL(`${basename(file, ".ts")}.js`, built).href)})`,
      );
    },
  };
}
