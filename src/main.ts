#!/usr/bin/env node
import "./app/process/preflight.js";
import cluster from "node:cluster";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compiling is more than half of a start. It is kept beside the code, not where others may write: who can change the one
// can change the other. Where this cannot be written, or NODE_COMPILE_CACHE names another place, nothing is lost.
const { directory } = enableCompileCache(
  fileURLToPath(new URL("../node_modules/.cache/opzoek", import.meta.url)),
);
// A thread compiles for itself, and looks for this in the environment only.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;

if (cluster.isWorker) {
  const { runAsWorker } = await import("./app/process/worker.ts");
  await runAsWorker(process.env);
} else {
  const [{ runCli }, { cliContext }] = await Promise.all([
    import("./cli/program.ts"),
    import("./app/commandContext.ts"),
  ]);
  process.exitCode = await runCli(process.argv.slice(2), cliContext(process.env));
}
