import type { Server } from "node:http";
import type { Socket } from "node:net";
import { POOLS } from "../contract/pools.ts";
import { isWithin } from "../lib/networks.ts";
import { Places, type Taker } from "../lib/places.ts";
import { memoryOf } from "./connectionMemory.ts";
import { limiterSubject } from "./minuteLimiter.ts";
import { connectionsOf } from "./server.ts";

export interface UnreadTimes {
  /** A connection takes a place among the unread ones after so long without progress. */
  readonly countedAfterMs: number;
  /** It is cut after so long. */
  readonly cutAfterMs: number;
  readonly lookEveryMs: number;
}

const TIMES: UnreadTimes = { countedAfterMs: 5_000, cutAfterMs: 30_000, lookEveryMs: 1_000 };
/**
 * A trusted proxy may stop so many times as long: on one machine the system buffers megabytes between it and the service, which a slow
 * client behind it takes minutes to read. A proxy cuts clients that read nothing by itself.
 */
const PROXY_PATIENCE = 10;

export interface ConnectionTerms {
  readonly trustProxy: readonly string[];
  /** As in {@link TIMES} when left out; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
}

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
  { trustProxy, unreadTimes: times = TIMES }: ConnectionTerms,
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
    address: request?.limiterSubject ?? limiterSubject(socket.remoteAddress),
    account: request?.call?.balance?.accountId ?? request?.visitor?.signedIn?.person.account.id,
  };
}
