import type { Socket } from "node:net";
import { errorBody } from "../contract/errors.ts";
import { EXPOSED_HEADERS } from "./headers.ts";

const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 15_000;

/** What the server takes from a client, each bound set on purpose. */
export const LIMITS = {
  /** A batch of 100 numbers is 1.2 KB; the rest is room for blanks. */
  bodyLimit: 65_536,
  /** The whole request within this time: a slow sender is cut off. */
  requestTimeout: REQUEST_WITHIN_MS,
  /** Longer than the idle time of common load balancers, so that they close first. */
  keepAliveTimeout: 75_000,
  return503OnClosing: false,
  forceCloseConnections: "idle" as const,
  exposeHeadRoutes: true,
  routerOptions: {
    /** A number of any length gets its own error, not "no such path". */
    maxParamLength: 16_384,
    querystringParser: () => ({}),
  },
  http: {
    maxHeaderSize: 16_384,
    headersTimeout: HEADERS_WITHIN_MS,
    connectionsCheckingInterval: 1_000,
    /** A request without a body is over with its header: no stream is read to its end for it. */
    optimizeEmptyRequests: true,
  },
} as const;

export interface BrokenRequestParts {
  readonly newRequestId: () => string;
  /** Whether a whole request came over the connection before. */
  readonly hadRequest: (socket: Socket) => boolean;
  /** Told of the client's address, undefined when it is gone. */
  readonly count: (address: string | undefined) => void;
}

/**
 * Answers what is no HTTP, too large or too slow in the form of every other error, and closes the connection. No
 * route has seen such a request: what every answer carries is written here. Each is counted, also one that is cut within
 * its header, when it is the first of its connection: after another one the same reset may be the end of an idle one.
 */
export function brokenRequestAnswerer({
  newRequestId,
  hadRequest,
  count,
}: BrokenRequestParts): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      if (socket.bytesRead > 0 && !hadRequest(socket)) count(socket.remoteAddress);
      socket.destroy();
      return;
    }
    count(socket.remoteAddress);
    const body = JSON.stringify(errorBody("INVALID_REQUEST", whatToDo(error.code)));
    const head = [
      "HTTP/1.1 400 Bad Request",
      `X-Request-Id: ${newRequestId()}`,
      "X-Content-Type-Options: nosniff",
      "Access-Control-Allow-Origin: *",
      `Access-Control-Expose-Headers: ${EXPOSED_HEADERS.join(", ")}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  };
}

function whatToDo(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW")
    return `path and headers may have ${LIMITS.http.maxHeaderSize} bytes together`;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return `send the whole request within ${REQUEST_WITHIN_MS / 1_000} s`;
  return "this is not a valid HTTP/1.1 request";
}
