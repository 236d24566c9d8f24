import type { Server, ServerResponse } from "node:http";
import type { Server as NetServer, Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { POOLS } from "../contract/pools.ts";
import { isWithin } from "../lib/networks.ts";
import { Places, type Taker } from "../lib/places.ts";
import { limiterSubject } from "./minuteLimiter.ts";
import type { AppParts, UnreadTimes } from "./parts.ts";

/** The open connections of servers that listen: Node.js keeps its own list to itself. */
const open = new WeakMap<NetServer, Set<Socket>>();

/** The open connections of a server, from the first time on in which they are asked for. */
export function connectionsOf(server: NetServer): ReadonlySet<Socket> {
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

/** Answers that a connection is owed at once at most. One that is asked for more ends with the last of these. */
export const MAX_OWED = 16;

/** The memory of each connection, which ends with it. */
class ConnectionMemory {
  /** A whole request came over it: what it is reset with later may be nothing more than its end. */
  hasAsked = false;
  /** The newest answer that has not left, or whose request has not come whole; all others that are owed leave before it. */
  newest: ServerResponse | undefined;
  /** The request of that answer: whose it is. */
  request: FastifyRequest | undefined;
  /** Answers that were begun and have not left. */
  owed = 0;
  /** The service would be rid of it: its next answer is the last. */
  isEnding = false;
  /** The answer that ends it. What was sent behind its request is not begun: it could be charged, and not be answered. */
  last: ServerResponse | undefined;
  /** Received something that is not a request: it ends when the owed answers have left. */
  isBroken = false;
}

const MEMORY = Symbol("memory");

/** A socket, or what stands for one in calls within this process. */
type Connection = Pick<Socket, "remoteAddress"> & { [MEMORY]?: ConnectionMemory };

/** The memory of a connection. */
export function memoryOf(connection: Connection): ConnectionMemory {
  connection[MEMORY] ??= new ConnectionMemory();
  return connection[MEMORY];
}

/**
 * Notes that a connection is owed an answer.
 * @returns false where it may not be begun, as one before it ends the connection
 */
export function noteOwed(memory: ConnectionMemory, answer: ServerResponse): boolean {
  if (memory.last !== undefined) {
    ignoreRest(answer.req.socket);
    return false;
  }
  memory.hasAsked = true;
  memory.newest = answer;
  memory.owed += 1;
  if (memory.isEnding || memory.owed >= MAX_OWED) endWith(answer, memory);
  return true;
}

/**
 * Drops the requests that are still parsed on a connection. Node.js parses all that it has read, which can be 3,000 requests, and keeps
 * an answer for each of them until the connection closes: megabytes. `onIncoming` is where its parser hands them over.
 */
function ignoreRest(socket: Socket & { readonly parser?: object | null }): void {
  if (socket.parser) Object.assign(socket.parser, { onIncoming: () => 0 });
}

/** Has a connection end with the newest answer that it is owed, where that can still say so, else with the next one. */
export function endSoon(connection: Connection): void {
  const memory = memoryOf(connection);
  memory.isEnding = true;
  if (memory.last !== undefined || memory.newest === undefined || memory.newest.headersSent) return;
  endWith(memory.newest, memory);
}

function endWith(answer: ServerResponse, memory: ConnectionMemory): void {
  answer.setHeader("connection", "close");
  memory.last = answer;
}

/** Notes that an answer has left. */
export function noteLeft(memory: ConnectionMemory, answer: ServerResponse): void {
  memory.owed -= 1;
  // An answer to a request that is still coming stays known: what is broken in that has been answered.
  if (memory.newest !== answer || !answer.req.complete) return;
  memory.newest = undefined;
  memory.request = undefined;
}

const TIMES: UnreadTimes = { countedAfterMs: 5_000, cutAfterMs: 30_000, lookEveryMs: 1_000 };
/**
 * A trusted proxy may stop so many times as long: on one machine the system buffers megabytes between it and the service, which a slow
 * client behind it takes minutes to read. A proxy cuts clients that read nothing by itself.
 */
const PROXY_PATIENCE = 10;

/** A connection that has bytes left to write. */
interface Unread {
  /** Its progress at the last look, see {@link progressOf}. */
  readonly written: string;
  /** For how long that has not changed. */
  readonly forMs: number;
}

/**
 * Bounds the connections of a server and cuts those whose clients do not read their answers.
 *
 * Node.js cannot tell what a client has read. It can tell when the system takes more bytes of an answer, which it does as the client
 * acknowledges earlier ones: a connection that has bytes left, of which the system takes none, makes no progress. Answers that fit into
 * the system's buffer are not seen; the bound of connections limits those.
 */
export function boundConnections(
  server: Server,
  { trustProxy, unreadTimes: times = TIMES }: Pick<AppParts, "trustProxy" | "unreadTimes">,
): void {
  const proxies = trustProxy.join(",");
  const isProxy = ({ remoteAddress }: Socket) => proxies !== "" && isWithin(remoteAddress, proxies);
  const open = connectionsOf(server);
  const connections = new Places(POOLS.connections);
  server.on("connection", (socket) => {
    const address = isProxy(socket) ? undefined : limiterSubject(socket.remoteAddress);
    const giveBack = connections.take({ address });
    if (giveBack === undefined) socket.destroy();
    else socket.once("close", giveBack);
  });

  let known = new Map<Socket, Unread>();
  const look = () => {
    const before = known;
    known = new Map();
    for (const socket of open) {
      if (socket.writableLength === 0) continue;
      const written = progressOf(socket);
      const last = before.get(socket);
      // Counted in looks: time in which the process stood still is not the client's.
      const forMs = last?.written === written ? last.forMs + times.lookEveryMs : 0;
      known.set(socket, { written, forMs });
    }
    const unread = new Places(POOLS.unreadAnswers);
    const newestFirst = [...known]
      .filter(([, { forMs }]) => forMs >= times.countedAfterMs)
      // Where there are too many, those that have read nothing for longest have no place.
      .sort(([, one], [, other]) => one.forMs - other.forMs);
    for (const [socket, { forMs }] of newestFirst) {
      const cutAfterMs = times.cutAfterMs * (isProxy(socket) ? PROXY_PATIENCE : 1);
      // By a reset: the system drops what it holds, and the client sees that its answer is not whole.
      if (forMs >= cutAfterMs || unread.take(clientOf(socket)) === undefined) socket.resetAndDestroy();
    }
  };
  server.once("listening", () => {
    const looking = setInterval(look, times.lookEveryMs).unref();
    server.once("close", () => clearInterval(looking));
  });
}

/** Changes whenever the system has taken bytes of a connection that has some left. */
function progressOf(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null },
): string {
  // Within one large write nothing else changes; Node.js tells its own timeouts by it.
  return `${socket.bytesWritten} ${socket.writableLength} ${socket._handle?.writeQueueSize}`;
}

/** The client that does not read. Behind a proxy the newest request says for whom it is; it has one request on a connection at a time. */
function clientOf(socket: Socket): Taker {
  const { request } = memoryOf(socket);
  return {
    address: limiterSubject(request?.clientAddress ?? socket.remoteAddress),
    account: request?.call?.balance?.accountId ?? request?.visitor?.signedIn?.person.account.id,
  };
}
