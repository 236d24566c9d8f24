import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo, ListenOptions, Server } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { OperatorError } from "../lib/operatorError.ts";
import { closeAfterPending, connectionsOf } from "./connections.ts";

/** The address is in use or unavailable; the message says how to choose another. */
export class CannotListen extends OperatorError {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "CannotListen";
  }
}

/**
 * Starts listening.
 * @param isShared whether other processes of the service listen on the same address
 * @returns the address of the service, `http://127.0.0.1:8080`
 * @throws {CannotListen} (the promise)
 */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  { isShared = false } = {},
): Promise<string> {
  connectionsOf(app.server);
  try {
    await app.listen({ host, port, ...(isShared && sharing()) });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  return addressOf(app.server);
}

/** Returns the address of a listening server, `http://127.0.0.1:8080`. */
export function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Starts a server listening. Rejects with the system's error. */
export async function startListening(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, "listening");
}

/** Closes a server and every connection to it. */
export async function closeAtOnce(server: HttpServer): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

/**
 * Returns the options for an address that several processes share. On Linux each has its own socket (SO_REUSEPORT) and
 * the system distributes connections; elsewhere the cluster's primary process shares one socket.
 */
export function sharing(): { readonly exclusive?: boolean; readonly reusePort?: boolean } {
  return process.platform === "linux" ? { exclusive: true, reusePort: true } : {};
}

/** Returns the error for an address on which nothing can listen. */
export function cannotListen(error: unknown, host: string, port: number): CannotListen {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const whatToDo: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop the program that uses it, or choose another port with PORT=${port + 1} (PORT=0 picks a free one)`,
    EACCES: `permission denied for port ${port}: choose a port above 1023 with PORT`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not an address of this machine`,
  };
  return new CannotListen(whatToDo[code] ?? `cannot listen on ${host}:${port} (${code})`, error);
}

const IDLE_CHECK_INTERVAL_MS = 100;
/** The maximum number of connections that can wait to be accepted: Node's backlog. */
const MAX_WAITING = 512;

/**
 * Accepts the connections that are waiting, one per turn of the event loop, then stops listening: closing the socket
 * earlier would reset them.
 */
async function stopListening({ server }: FastifyInstance): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on("connection", count);
  for (let turns = 0; turns < MAX_WAITING; turns++) {
    const before = accepted;
    await turn();
    await turn();
    if (accepted === before) break;
  }
  server.off("connection", count);
  server.close();
}

/**
 * Stops accepting connections, lets responses finish, and closes connections as they become idle; a keep-alive
 * connection would otherwise stay open for its next request. Connections still open after `withinMs` are cut.
 */
export async function drain(app: FastifyInstance, withinMs: number): Promise<void> {
  app.server.on("connection", closeAfterPending);
  // Each connection ends with its next response, or the newest one that has begun. Later requests are neither answered
  // nor charged.
  for (const socket of connectionsOf(app.server)) closeAfterPending(socket);
  // Node.js no longer tracks connections that sent CONNECT.
  const cut = setTimeout(() => {
    for (const socket of connectionsOf(app.server)) socket.destroy();
  }, withinMs);
  let closeIdle: NodeJS.Timeout | undefined;
  try {
    await stopListening(app);
    // Not earlier: Node.js counts a connection as idle that has just been accepted and whose request has not been read.
    closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
    await app.close();
  } finally {
    clearInterval(closeIdle);
    clearTimeout(cut);
  }
}
