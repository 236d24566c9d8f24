import type { Server, ServerResponse } from "node:http";
import type { Server as NetServer, Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { POOLS } from "../contract/pools.ts";
import { limiterSubject } from "../lib/minuteLimiter.ts";
import { isWithin } from "../lib/networks.ts";
import { type SlotOwner, SlotPool } from "../lib/slotPool.ts";
import type { AppParts, UnreadTimeouts } from "./parts.ts";

/** The open connections of listening servers. Node.js does not expose its own list. */
const open = new WeakMap<NetServer, Set<Socket>>();

/** Returns the open connections of a server, from the first call of this function on. */
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

/** The maximum number of pending responses of a connection. It closes after the last of these. */
export const MAX_PENDING_RESPONSES = 16;

/** The state of a connection. */
class ConnectionState {
  /** A complete request was received, so a later reset may be just the end of an idle connection. */
  hasSentRequest = false;
  /**
   * The newest response that is not sent yet, or whose request is incomplete. All other pending responses are sent
   * before it.
   */
  newest: ServerResponse | undefined;
  /** The request of that response. */
  request: FastifyRequest | undefined;
  /** The bytes of the connection that were read when that request began. */
  bytesBefore = 0;
  /** Responses that began and were not sent yet. */
  pendingResponses = 0;
  /** The connection should end: its next response is the last. */
  isEnding = false;
  /** The response that ends it. Later requests do not begin, because they could be charged without an answer. */
  last: ServerResponse | undefined;
  /** It received something that is not a request, and closes after the pending responses. */
  isBroken = false;
}

const STATE = Symbol("memory");

/** A socket, or its substitute for calls within this process. */
type Connection = Pick<Socket, "remoteAddress"> & { [STATE]?: ConnectionState };

/** Returns the state of a connection. */
export function stateOf(connection: Connection): ConnectionState {
  connection[STATE] ??= new ConnectionState();
  return connection[STATE];
}

/**
 * Adds a pending response of a connection.
 * @returns false when the response must not begin, because an earlier one ends the connection
 */
export function addPendingResponse(memory: ConnectionState, answer: ServerResponse): boolean {
  if (memory.last !== undefined) {
    ignoreRest(answer.req.socket);
    return false;
  }
  memory.hasSentRequest = true;
  memory.newest = answer;
  memory.bytesBefore = answer.req.socket.bytesRead;
  memory.pendingResponses += 1;
  if (memory.isEnding || memory.pendingResponses >= MAX_PENDING_RESPONSES) endWith(answer, memory);
  return true;
}

/**
 * Drops further requests of a connection. Node.js parses everything it has read, up to 3,000 requests, and keeps a
 * response for each until the connection closes: megabytes. Its parser passes requests to `onIncoming`.
 */
function ignoreRest(socket: Socket & { readonly parser?: object | null }): void {
  if (socket.parser) Object.assign(socket.parser, { onIncoming: () => 0 });
}

/** Ends a connection with its newest pending response if its headers are not sent yet, otherwise with the next one. */
export function closeAfterPending(connection: Connection): void {
  const memory = stateOf(connection);
  memory.isEnding = true;
  if (memory.last !== undefined || memory.newest === undefined || memory.newest.headersSent) return;
  endWith(memory.newest, memory);
}

function endWith(answer: ServerResponse, memory: ConnectionState): void {
  answer.setHeader("connection", "close");
  memory.last = answer;
}

/** Records that a response was sent. */
export function removePendingResponse(memory: ConnectionState, answer: ServerResponse): void {
  memory.pendingResponses -= 1;
  // Remember a response whose request is still incomplete: an error in the rest of that request is already answered.
  if (memory.newest !== answer || !answer.req.complete) return;
  memory.newest = undefined;
  memory.request = undefined;
}

const TIMES: UnreadTimeouts = { countedAfterMs: 5_000, cutAfterMs: 30_000, checkEveryMs: 1_000 };
/**
 * A trusted proxy may stop reading this many times as long: the system buffers megabytes between a proxy and the
 * service, which a slow client takes minutes to read. The proxy itself cuts clients that do not read.
 */
const PROXY_PATIENCE = 10;

/** A connection that has bytes left to write. */
interface Unread {
  /** Its progress at the last check, see {@link progressOf}. */
  readonly written: string;
  /** How long the progress has not changed. */
  readonly forMs: number;
}

/**
 * Limits the connections of a server and cuts those whose clients do not read their responses.
 *
 * Node.js does not know what a client has read, but it knows when the system accepts more bytes of a response, which
 * happens as the client acknowledges earlier ones. A connection that has bytes left makes no progress when the system
 * accepts none of them. Responses that fit into the system's buffer are not noticed; the limit of connections bounds
 * those.
 */
export function boundConnections(
  server: Server,
  { trustProxy, unreadTimes: times = TIMES }: Pick<AppParts, "trustProxy" | "unreadTimes">,
): void {
  const proxies = trustProxy.join(",");
  const isProxy = ({ remoteAddress }: Socket) => proxies !== "" && isWithin(remoteAddress, proxies);
  const open = connectionsOf(server);
  const connections = new SlotPool(POOLS.connections);
  server.on("connection", (socket) => {
    const address = isProxy(socket) ? undefined : limiterSubject(socket.remoteAddress);
    const release = connections.acquire({ address });
    if (release === undefined) socket.destroy();
    else socket.once("close", release);
  });

  let known = new Map<Socket, Unread>();
  const checkProgress = () => {
    const before = known;
    known = new Map();
    for (const socket of open) {
      if (socket.writableLength === 0) continue;
      const written = progressOf(socket);
      const last = before.get(socket);
      // Counted in checks, so that time in which this process was suspended does not count against the client.
      const forMs = last?.written === written ? last.forMs + times.checkEveryMs : 0;
      known.set(socket, { written, forMs });
    }
    const unread = new SlotPool(POOLS.unreadAnswers);
    const newestFirst = [...known]
      .filter(([, { forMs }]) => forMs >= times.countedAfterMs)
      // If there are too many, those without progress for longest are cut.
      .sort(([, one], [, other]) => one.forMs - other.forMs);
    for (const [socket, { forMs }] of newestFirst) {
      const cutAfterMs = times.cutAfterMs * (isProxy(socket) ? PROXY_PATIENCE : 1);
      // A reset makes the system drop its buffer and shows the client that the response is incomplete.
      if (forMs >= cutAfterMs || unread.acquire(clientOf(socket)) === undefined) socket.resetAndDestroy();
    }
  };
  everyMs(times.checkEveryMs, server, checkProgress);
}

/** Calls `check` at intervals while a server listens. */
export function everyMs(ms: number, server: Server, check: () => void): void {
  server.once("listening", () => {
    const looking = setInterval(check, ms).unref();
    server.once("close", () => clearInterval(looking));
  });
}

/** Returns a text that changes whenever the system accepts bytes of a connection. */
function progressOf(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null },
): string {
  // The queue size is the only value that changes within one large write. Node.js uses it for its own timeouts.
  return `${socket.bytesWritten} ${socket.writableLength} ${socket._handle?.writeQueueSize}`;
}

/**
 * Returns the client of a connection. Behind a proxy the newest request identifies it; a proxy has one request on a
 * connection at a time.
 */
function clientOf(socket: Socket): SlotOwner {
  const { request } = stateOf(socket);
  return {
    address: limiterSubject(request?.clientAddress ?? socket.remoteAddress),
    account: request?.call?.balance?.accountId ?? request?.visitor?.signedIn?.person.account.id,
  };
}
