// Plain JavaScript, because TypeScript that is loaded before the cache is enabled would be compiled at each start.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compiling is more than half of a start. The cache is next to the code, so that only those who can change the code can
// change it. If this folder is not writable, or NODE_COMPILE_CACHE names another one, the program works without it.
export const { directory } = enableCompileCache(
  fileURLToPath(new URL("../../../node_modules/.cache/opzoek", import.meta.url)),
);
