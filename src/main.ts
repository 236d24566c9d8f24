#!/usr/bin/env node
import "./app/process/preflight.js";
import { directory } from "./app/process/compileCache.js";

// A thread compiles on its own, and reads this from the environment only.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;

const [{ runCli }, { cliContext }] = await Promise.all([
  import("./cli/program.ts"),
  import("./cli/context.ts"),
]);
process.exitCode = await runCli(process.argv.slice(2), cliContext(process.env));
