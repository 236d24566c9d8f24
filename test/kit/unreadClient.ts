import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterFile } from "./afterFile.ts";

/** Sends the same request repeatedly on one connection, and reads nothing. */
export function unreadClient(
  port: number,
  path: string,
  { times = 100, headers = "", localAddress = "127.0.0.1" } = {},
): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {}).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`.repeat(times));
  afterFile(() => socket.destroy());
  return socket;
}

/** The open connections of a server, and the total, counted from now on. */
export function connectionsTo({ server }: FastifyInstance) {
  const open = new Set<Socket>();
  const all: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    all.push(socket);
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return { open, all } as const;
}
