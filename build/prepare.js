// What npm runs after an install. Plain JavaScript of years ago: npm may run it with a Node.js that is too old for the rest.
import { existsSync } from "node:fs";

if (existsSync(new URL("../node_modules/vite", import.meta.url))) {
  await import("./all.ts");
} else {
  console.error(
    'opzoek: what builds the program was left out (--omit=dev), and nothing was built. Run "npm ci", which builds all, then "npm prune --omit=dev": what is built needs no package.',
  );
  process.exitCode = 1;
}
