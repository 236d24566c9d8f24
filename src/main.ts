#!/usr/bin/env node
import "./app/process/preflight.js";
import cluster from "node:cluster";
import { directory } from "./app/process/compileCache.js";

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
