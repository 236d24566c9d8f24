// Plain JavaScript: TypeScript that is loaded before the cache is on would be compiled at each start.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compiling is more than half of a start. The cache is next to the code, so that only those who can change the code can change it.
// If this folder cannot be written, or NODE_COMPILE_CACHE names another one, the program works all the same.
export const { directory } = enableCompileCache(
  fileURLToPath(new URL("../../../node_modules/.cache/opzoek", import.meta.url)),
);
