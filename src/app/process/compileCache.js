// Plain JavaScript: a first file of TypeScript would be compiled anew with each start, and the compiler loaded for it.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compiling is more than half of a start. It is kept beside the code, not where others may write: who can change the one
// can change the other. Where this cannot be written, or NODE_COMPILE_CACHE names another place, nothing is lost.
export const { directory } = enableCompileCache(
  fileURLToPath(new URL("../../../node_modules/.cache/opzoek", import.meta.url)),
);
