import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { OperatorError } from "../lib/operatorError.ts";
import { endSoon } from "./connectionMemory.ts";

/** The address is taken or cannot be used; the message says how to choose another. */
export class CannotListen extends OperatorError {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "CannotListen";
  }
}

/**
 * With `isShared` several threads or processes listen on the address, each for its own part of the connections: the system shares
 * them out (SO_REUSEPORT), so that one that ends takes only its own with it.
 * @returns the address under which the service is reached, `http://127.0.0.1:8080`
 */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  { isShared = false } = {},
): Promise<string> {
  connectionsOf(app.server);
  try {
    await app.listen({ host, port, ...(isShared && { exclusive: true, reusePort: true }) });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  const { address, family, port: taken } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/** An address that is kept from other services of this machine. */
export interface HeldAddress {
  release(): Promise<void>;
}

/**
 * Takes an address before it is shared, which sharing it would not do. One that others listen on is refused: it is taken alone for a moment. For as long as
 * it is held another service is refused too, which may have looked in the same moment: both would listen, and callers reach either. On Linux a socket
 * without a file holds it, which the system keeps apart by networks as it does ports, and takes back however the process ends.
 * @throws {CannotListen}
 */
export async function holdAddress(host: string, port: number): Promise<HeldAddress> {
  try {
    const { address } = await listenBriefly({ host, port, exclusive: true });
    if (process.platform !== "linux") return { release: async () => {} };
    const holder = createServer((socket) => socket.destroy());
    await listening(holder, { path: `\0opzoek ${address} ${port}`, exclusive: true });
    holder.on("error", () => {}).unref();
    return { release: () => new Promise((resolve) => holder.close(() => resolve())) };
  } catch (error) {
    throw cannotListen(error, host, port);
  }
}

/** Whether this system lets several sockets listen on one port. */
export async function sharesPorts(): Promise<boolean> {
  try {
    await listenBriefly({ host: "127.0.0.1", port: 0, exclusive: true, reusePort: true });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTSUP") return false;
    // Whatever else is wrong is told by who listens in earnest.
    return true;
  }
}

/** @returns what it listened on */
async function listenBriefly(options: ListenOptions): Promise<AddressInfo> {
  const server = createServer();
  await listening(server, options);
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address;
}

function listening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

export function cannotListen(error: unknown, host: string, port: number): CannotListen {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new CannotListen(whatToDo(code, host, port), error);
}

function whatToDo(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE") {
    return `port ${port} of ${host} is taken: stop what listens there, or choose another with PORT=${port + 1} (PORT=0 takes a free one)`;
  }
  if (code === "EACCES") return `port ${port} needs more rights: choose one above 1023 with PORT`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is no address of this machine`;
  if (code === "ENOTSUP") return "this system lets no threads share an address: set WORKERS=1";
  return `cannot listen on ${host}:${port} (${code})`;
}

/** The open connections of servers that listen: Node.js keeps its own list to itself. */
const open = new WeakMap<Server, Set<Socket>>();

/** The open connections of a server, from the first time on in which they are asked for. */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const known = open.get(server);
  if (known !== undefined) return known;
  const sockets = new Set<Socket>();
  open.set(server, sockets);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Closes each connection that is open with its next answer, or the newest that was begun: what is sent behind that is neither answered nor charged.
 * For when others listen on the address as well: clients that keep theirs open for good spread over all.
 */
export function endConnections({ server }: FastifyInstance): void {
  for (const socket of connectionsOf(server)) endSoon(socket);
}

const LOOK_FOR_IDLE_EVERY_MS = 100;
/** As many connections as wait at most: Node's own backlog. */
const MOST_WAITING = 512;

/**
 * Takes the connections that wait to be accepted, of which a turn of the event loop takes one, and no more: closing the socket would reset
 * those that still wait there.
 */
async function stopListening({ server }: FastifyInstance): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on("connection", count);
  for (let turns = 0; turns < MOST_WAITING; turns++) {
    const before = accepted;
    await turn();
    await turn();
    if (accepted === before) break;
  }
  server.off("connection", count);
  server.close();
}

/**
 * Stops taking connections, lets running answers finish and closes what is idle, also what becomes so: a connection
 * whose answer has left would be held open for its next request. What is still open after `withinMs` is cut.
 */
export async function drain(app: FastifyInstance, withinMs: number): Promise<void> {
  app.server.on("connection", endSoon);
  endConnections(app);
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_EVERY_MS);
  // Of one that asked for a tunnel Node.js knows no more.
  const cut = setTimeout(() => {
    for (const socket of connectionsOf(app.server)) socket.destroy();
  }, withinMs);
  try {
    await stopListening(app);
    await app.close();
  } finally {
    clearInterval(closeIdle);
    clearTimeout(cut);
  }
}
