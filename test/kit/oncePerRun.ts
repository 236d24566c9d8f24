/** What all files of a run share. vitest runs it in its own process, around them. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type LaunchedPostgres, launchPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers a GET with `{port}` of the PostgreSQL server of the run. */
    readonly postgresStarter: string;
  }
}

/**
 * Connections for several files at once, each with nodes of several processes. No file may stop or kill this server, so nothing that
 * it writes needs to reach a disk; a file that tests what outlives the server starts one of its own, which syncs.
 */
const FLAGS = ["max_connections=400", "fsync=off", "full_page_writes=off"].flatMap((flag) => ["-c", flag]);

let starter: Server | undefined;
let postgres: Promise<LaunchedPostgres> | undefined;

/** A run that needs no PostgreSQL starts none: this only listens for the first file that does. */
export async function setup(project: TestProject): Promise<void> {
  const server = createServer((_request, response) => {
    postgres ??= launchPostgres(FLAGS);
    postgres.then(
      ({ port }) => response.end(JSON.stringify({ port })),
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
}
