import { type AddressInfo, createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { OperatorError } from "../lib/operatorError.ts";

/** The address is taken or cannot be used; the message says how to choose another. */
export class CannotListen extends OperatorError {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "CannotListen";
  }
}

/**
 * With `isShared` several processes listen on the address, each for its own part of the connections: the system shares
 * them out (SO_REUSEPORT), so that one that is killed takes only its own with it.
 * @returns the address under which the service is reached, `http://127.0.0.1:8080`
 */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  { isShared = false } = {},
): Promise<string> {
  try {
    await app.listen({ host, port, ...(isShared && { exclusive: true, reusePort: true }) });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  const { address, family, port: taken } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/**
 * The port that processes are about to share: a free one for 0. One that others listen on is refused, which sharing alone
 * would not do.
 */
export function portToShare(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(cannotListen(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
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
  if (code === "ENOTSUP") return "this system shares no address between processes: set WORKERS=1";
  return `cannot listen on ${host}:${port} (${code})`;
}

const LOOK_FOR_IDLE_EVERY_MS = 100;

/**
 * Stops taking connections, lets running answers finish and closes what is idle, also what becomes so: a connection
 * whose answer has left would be held open for its next request. What is still open after `withinMs` is cut.
 */
export async function drain(app: FastifyInstance, withinMs: number): Promise<void> {
  app.server.on("request", (_request, response) => response.setHeader("connection", "close"));
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_EVERY_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), withinMs);
  try {
    await app.close();
  } finally {
    clearInterval(closeIdle);
    clearTimeout(cut);
  }
}
