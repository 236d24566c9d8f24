/** Resources shared by all files of a run. vitest runs this in its own process, around them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { builtProgram } from "../../src/app/process/built.js";
import { upgradeTables } from "../../src/database/postgres/upgrade.ts";
import { ensureBuilt } from "../dashboard/support/built.ts";
import { startOpzoek } from "./opzoek.ts";
import { databasesOn, type LaunchedPostgres, launchPostgres } from "./postgres.ts";
import { until } from "./until.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * Answers a GET with `{port, template}`: of the PostgreSQL server of the run, and of an unused state there. Its
     * path `demo` answers with a data folder of the demo to copy.
     */
    readonly postgresStarter: string;
  }
}

/**
 * Connections for several files at once, each with nodes of several processes. No file may stop or kill this server, so
 * nothing needs to be synced; a file that tests durability starts its own server, which syncs.
 */
const FLAGS = ["max_connections=400", "fsync=off", "full_page_writes=off"].flatMap((flag) => ["-c", flag]);

/** The compile cache of a start; `src/app/process/compileCache.js` names it. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/opzoek", import.meta.url));

const BUILD = fileURLToPath(new URL("../../build/program.ts", import.meta.url));

/**
 * After a clean install a start compiles everything, and caches that on a clean exit, which most services of tests
 * lack: each start would take half as long again.
 */
async function warmUp(): Promise<void> {
  if (existsSync(COMPILED)) return;
  const folder = mkdtempSync(join(tmpdir(), "opzoek-warm-up-"));
  const program = startOpzoek(["serve"], { PATH: process.env.PATH, DATA_DIR: folder, PORT: "0" });
  await until("the service listens", () => program.out().includes('"listening"'));
  program.child.kill("SIGTERM");
  await program.ended;
  rmSync(folder, { recursive: true });
}

const TEMPLATE = "prepared";

let starter: Server | undefined;
let postgres: Promise<LaunchedPostgres> | undefined;

/** Making the tables of a state takes ten times as long as copying them. */
async function launchPrepared(): Promise<LaunchedPostgres> {
  const server = await launchPostgres(FLAGS);
  try {
    await upgradeTables(await databasesOn(server.port).newDatabase(TEMPLATE));
    return server;
  } catch (error) {
    await server.remove();
    throw error;
  }
}

let demo: Promise<string> | undefined;

/** A first start of the demo makes 25,000 companies. @returns its data folder */
async function makeDemo(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-demo-"));
  const program = startOpzoek(["demo"], { PATH: process.env.PATH, DATA_DIR: folder, PORT: "0" });
  await until("the demo listens", () => program.out().includes('"listening"'));
  program.child.kill("SIGTERM");
  await program.ended;
  return folder;
}

function answerTo(url: string | undefined): Promise<string> {
  if (url === "/demo") {
    demo ??= makeDemo();
    return demo;
  }
  postgres ??= launchPrepared();
  return postgres.then(({ port }) => JSON.stringify({ port, template: TEMPLATE }));
}

/** A run that needs no PostgreSQL and no demo starts none: this only listens for the first file that does. */
export async function setup(project: TestProject): Promise<void> {
  if (builtProgram() === undefined) execFileSync(process.execPath, [BUILD]);
  ensureBuilt();
  await warmUp();
  const server = createServer(({ url }, response) => {
    answerTo(url).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  starter = server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  project.provide("postgresStarter", `http://127.0.0.1:${port}/`);
}

export async function teardown(): Promise<void> {
  starter?.closeAllConnections();
  starter?.close();
  const server = await postgres?.catch(() => undefined);
  await server?.remove();
  const folder = await demo?.catch(() => undefined);
  if (folder !== undefined) rmSync(folder, { recursive: true });
}
