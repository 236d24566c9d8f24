#!/usr/bin/env node
import cluster from "node:cluster";
import { runCli } from "./cli/program.ts";
import { cliContext } from "./context.ts";
import { runAsWorker } from "./worker.ts";

if (cluster.isWorker) await runAsWorker(process.env);
else process.exitCode = await runCli(process.argv.slice(2), cliContext(process.env));
