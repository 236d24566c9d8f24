/** Builds the pages and the program in parallel: neither needs the other. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const BUILDS = ["build/pages.ts", "build/program.ts"];

function run(script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { cwd: ROOT, stdio: "inherit" });
    child.once("error", reject);
    // Without a code a signal ended it.
    child.once("close", (code) => resolve(code ?? 1));
  });
}

const codes = await Promise.all(BUILDS.map(run));
process.exitCode = Math.max(...codes);
