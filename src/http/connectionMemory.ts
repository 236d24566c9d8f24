import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";

/** Answers that a connection is owed at once at most. One that is asked for more ends with the last of these. */
export const MAX_OWED = 16;

/** What is remembered of a connection; it is gone with it. */
export interface ConnectionMemory {
  /** A whole request came over it: what it is reset with later may be nothing more than its end. */
  hasAsked: boolean;
  /** The newest answer that has not left, or whose request has not come whole; all others that are owed leave before it. */
  newest: ServerResponse | undefined;
  /** The request of that answer: whose it is. */
  request: FastifyRequest | undefined;
  /** Answers that were begun and have not left. */
  owed: number;
  /** The service would be rid of it: its next answer is the last. */
  isEnding: boolean;
  /** The answer that ends it. What was sent behind its request is not begun: it could be charged, and not be answered. */
  last: ServerResponse | undefined;
  /** What is no request came over it: it ends when what is owed has left. */
  isBroken: boolean;
}

const MEMORY = Symbol("memory");

/** A socket, or what stands for one in calls within this process. */
type Connection = Pick<Socket, "remoteAddress"> & { [MEMORY]?: ConnectionMemory };

/** What is remembered of a connection. */
export function memoryOf(connection: Connection): ConnectionMemory {
  connection[MEMORY] ??= {
    hasAsked: false,
    newest: undefined,
    request: undefined,
    owed: 0,
    isEnding: false,
    last: undefined,
    isBroken: false,
  };
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
