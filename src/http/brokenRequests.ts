import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { type ApiError, errorBody, invalid } from "../contract/errors.ts";
import { closeAfterPending, stateOf } from "./connections.ts";
import { COMMON, CROSS_ORIGIN, JSON_TYPE } from "./headers.ts";
import { BODY_TIMES, LIMITS } from "./limits.ts";

/**
 * As long as any work may take. A client that sends broken bytes and reads nothing cannot hold its connection longer.
 */
const PENDING_TIMEOUT_MS = 120_000;
/** Time for a client to read the reason before its connection ends. */
const CLOSED_WITHIN_MS = 5_000;

const TUNNEL = "TUNNEL";
export const SLOW_UPLOAD = "SLOW_UPLOAD";
/** Node.js uses this code too. */
export const TOO_SLOW = "ERR_HTTP_REQUEST_TIMEOUT";
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Takes over requests that Node.js would answer or cut by itself. Requests with an unknown expectation are handled like
 * others, and {@link breachOf} reports them. CONNECT gets an error after all pending responses. A client that closes
 * its half of the connection after its requests still gets the responses (RFC 9293, section 3.6: it has nothing more to
 * send, but still reads).
 */
export function handleOddRequests(server: Server, answerBroken: BrokenRequestAnswerer): void {
  // Node.js would close the other half at once. Its HTTP servers have this option, although it is not documented for
  // them.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket) => socket.once("end", () => closeAfterPending(socket)));
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  server.on("connect", (_request, socket) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    // Node.js no longer handles this socket.
    socket.on("error", () => socket.destroy());
    answerBroken(Object.assign(new Error("a tunnel was requested"), { code: TUNNEL }), socket);
  });
}

/** Characters that cannot occur in a host and port; a comma joins two hosts. */
const NOT_IN_HOST = /[\s,/?#@\\]/;

/**
 * Returns an error for a complete request that breaks a rule of HTTP (RFC 9112, section 3.2, and RFC 9110, section
 * 10.1.1).
 */
export function breachOf({
  headers: { host, expect },
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders">): ApiError | undefined {
  if (host === undefined && httpVersion === "1.1") {
    return invalid("the Host header is missing: HTTP/1.1 requires one");
  }
  // Node.js uses only the first of several such headers.
  if (host !== undefined && (NOT_IN_HOST.test(host) || timesSent("host", rawHeaders) > 1)) {
    return invalid("send one Host header with one host; a proxy may have added another");
  }
  if (expect === undefined || httpVersion !== "1.1" || CONTINUE.test(expect)) return undefined;
  return invalid("only 100-continue is supported in the Expect header: leave it out");
}

/** Counts the occurrences of a header, of which Node.js uses the first or joins all. @param name in lower case */
export function timesSent(name: string, rawHeaders: readonly string[]): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
}

export type BrokenRequestAnswerer = (error: Error & { code?: string }, socket: Socket) => void;

export interface BrokenRequestParts {
  readonly newRequestId: () => string;
  /** Counts a broken request of a client's address; undefined when the client has disconnected. */
  readonly count: (address: string | undefined) => void;
}

/**
 * Answers broken, too large and too slow requests with the usual form of errors, and closes the connection. Responses
 * to earlier requests are sent first, because they may have been charged. No route has seen such a request, so the
 * common headers are written here. Each one is counted, even when no response can be sent.
 */
export function brokenRequestAnswerer({ newRequestId, count }: BrokenRequestParts): BrokenRequestAnswerer {
  return (error, socket) => {
    const memory = stateOf(socket);
    const { isBroken } = memory;
    if (error.code === "ECONNRESET" || (!isBroken && !socket.writable)) {
      if (socket.bytesRead > 0 && !memory.hasSentRequest && !isBroken) count(socket.remoteAddress);
      socket.destroy();
      return;
    }
    // A proxy would mistake this response for the one to its next request.
    if (error.code === TOO_SLOW && socket.bytesRead === 0) return void socket.destroy();
    // Each later chunk is reported as broken too, and so is the timeout.
    if (isBroken) return;
    memory.isBroken = true;
    count(socket.remoteAddress);
    afterPending(socket, memory.newest, (isAnswered) => {
      if (socket.writable) socket.end(isAnswered ? "" : refusal(error.code, newRequestId()));
      closeSlowly(socket);
    });
  };
}

/**
 * Ends a connection after its pending responses.
 * @param end ends it; receives whether the broken request itself was answered
 */
function afterPending(
  socket: Socket,
  newest: ServerResponse | undefined,
  end: (isAnswered: boolean) => void,
): void {
  // If the newest request is complete, the broken one follows it.
  const isAnswered = newest?.req.complete === false;
  if (newest === undefined || newest.destroyed) end(isAnswered);
  else if (!isAnswered || !waitsForBody(newest)) {
    holdBack(socket);
    newest.once("close", () => end(isAnswered));
  } else if (newest.socket !== null) end(false);
  else {
    holdBack(socket);
    // If a response began in the meantime, it is sent on its own.
    newest.once("socket", () => {
      if (newest.headersSent) newest.once("close", () => end(true));
      else end(false);
    });
  }
}

/** Whether a response has not begun because its request's body is incomplete. Nothing was charged for it yet. */
function waitsForBody({ headersSent, req: { method } }: ServerResponse): boolean {
  return !headersSent && method !== "GET" && method !== "HEAD";
}

/**
 * Stops reading from a client while its responses are sent, and resets the connection when that takes too long, so that
 * the client notices.
 */
function holdBack(socket: Socket): void {
  socket.pause();
  within(PENDING_TIMEOUT_MS, socket, () => socket.resetAndDestroy());
}

/**
 * Discards further bytes until the client has closed its side. Unread bytes would reset the connection and lose the
 * sent response.
 */
function closeSlowly(socket: Socket): void {
  socket.resume();
  within(CLOSED_WITHIN_MS, socket, () => socket.destroy());
}

function within(ms: number, socket: Socket, end: () => void): void {
  const timer = setTimeout(end, ms);
  socket.once("close", () => clearTimeout(timer));
}

/** Writes a response by hand: Node.js has no response object for a request that it could not parse. */
function refusal(code: string | undefined, requestId: string): string {
  const body = JSON.stringify(errorBody("INVALID_REQUEST", ADVICE[code ?? ""] ?? NOT_VALID));
  const headers = {
    ...COMMON,
    ...CROSS_ORIGIN,
    "content-type": JSON_TYPE,
    connection: "close",
    "x-request-id": requestId,
    "content-length": Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["HTTP/1.1 400 Bad Request", ...lines, "", body].join("\r\n");
}

const NOT_VALID = "this is not a valid HTTP/1.1 request";

/** Advice on a broken request, by the code of its error. */
const ADVICE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `path and headers together exceed ${LIMITS.http.maxHeaderSize} bytes; send less`,
  [TOO_SLOW]: `the request took too long; send all of it within ${BODY_TIMES.wholeMs / 1_000} s`,
  [SLOW_UPLOAD]: `the upload was too slow: it may pause for at most ${BODY_TIMES.pauseMs / 1_000} s, and after ${BODY_TIMES.slowAfterMs / 1_000} s it must have an average of ${BODY_TIMES.minBytesPerSecond / 1_024} KB/s`,
  HPE_INVALID_URL: `${NOT_VALID}: percent-encode all non-ASCII characters of a URL as UTF-8 (é is %C3%A9)`,
  HPE_INVALID_CONSTANT: `${NOT_VALID}: percent-encode spaces in a URL as %20`,
  [TUNNEL]: "this is not a proxy; do not send CONNECT",
};
