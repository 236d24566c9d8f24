#!/usr/bin/env node
import { runCli } from "./cli/program.ts";
import { cliContext } from "./compose.ts";

process.exitCode = await runCli(process.argv.slice(2), cliContext(process.env));
