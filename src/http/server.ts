import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";

/** The address is taken or cannot be used; the message says how to choose another. */
export class CannotListen extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "CannotListen";
  }
}

/** @returns the address under which the service is reached, `http://127.0.0.1:8080` */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new CannotListen(whatToDo(code, host, port), error);
  }
  const { address, family, port: taken } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

function whatToDo(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE") {
    return `port ${port} of ${host} is taken: stop what listens there, or choose another with PORT=${port + 1} (PORT=0 takes a free one)`;
  }
  if (code === "EACCES") return `port ${port} needs more rights: choose one above 1023 with PORT`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is no address of this machine`;
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
