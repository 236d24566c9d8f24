/** Builds the account page and the program side by side, as neither needs the other. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const BUILDS = [
  ["node_modules/vite/bin/vite.js", "build", "dashboard", "--logLevel", "warn"],
  ["build/program.ts"],
] as const;

function run(words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: ROOT, stdio: "inherit" });
    child.once("error", reject);
    // Without a code a signal ended it.
    child.once("close", (code) => resolve(code ?? 1));
  });
}

const codes = await Promise.all(BUILDS.map(run));
process.exitCode = Math.max(...codes);
