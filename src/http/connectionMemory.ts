import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FoundKey } from "../metering/store.ts";

/** What is remembered of a connection; it is gone with it. */
export interface ConnectionMemory {
  /** A whole request came over it: what it is reset with later may be nothing more than its end. */
  hasAsked: boolean;
  /** The newest answer that has not left, or whose request has not come whole; all others that are owed leave before it. */
  newest: ServerResponse | undefined;
  /** What is no request came over it: it ends when what is owed has left. */
  isBroken: boolean;
  /**
   * The header `Authorization` that came last with a key, and that key. A client that keeps its connection sends the same header each
   * time, so that one comparison stands for taking it apart and hashing it.
   */
  authorization: string | undefined;
  key: FoundKey | undefined;
}

const MEMORY = Symbol("memory");

/** A socket, or what stands for one in calls within this process. */
type Connection = Pick<Socket, "remoteAddress"> & { [MEMORY]?: ConnectionMemory };

/** What is remembered of a connection. */
export function memoryOf(connection: Connection): ConnectionMemory {
  connection[MEMORY] ??= {
    hasAsked: false,
    newest: undefined,
    isBroken: false,
    authorization: undefined,
    key: undefined,
  };
  return connection[MEMORY];
}

/** Notes that a connection is owed an answer. */
export function noteOwed(memory: ConnectionMemory, answer: ServerResponse): void {
  memory.hasAsked = true;
  memory.newest = answer;
}

/** Notes that an answer has left. */
export function noteLeft(memory: ConnectionMemory, answer: ServerResponse): void {
  // An answer to a request that is still coming stays known: what is broken in that has been answered.
  if (memory.newest === answer && answer.req.complete) memory.newest = undefined;
}

/** A key takes 53 characters; a header may have spaces around it, up to kilobytes that would be held for as long as the connection is open. */
const LONGEST_REMEMBERED = 100;

/** Remembers whose key a header was. */
export function rememberKey(
  memory: ConnectionMemory,
  authorization: string | undefined,
  key: FoundKey,
): void {
  if (authorization === undefined || authorization.length > LONGEST_REMEMBERED) return;
  memory.authorization = authorization;
  memory.key = key;
}
