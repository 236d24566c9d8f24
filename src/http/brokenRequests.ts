import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { ApiError, errorBody } from "../contract/errors.ts";
import { endSoon, memoryOf } from "./connections.ts";
import { COMMON, CROSS_ORIGIN, JSON_TYPE } from "./headers.ts";
import { LIMITS } from "./limits.ts";

/** As long as any work may take: who sends broken bytes and reads nothing holds a connection no longer than that. */
const OWED_WITHIN_MS = 120_000;
/** Then a client has read why its connection ends, or never will. */
const CLOSED_WITHIN_MS = 5_000;

const TUNNEL = "TUNNEL";
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Has what Node.js would answer or cut by itself answered here: requests that expect what nobody knows are asked like any other, where
 * {@link breachOf} finds them, who takes the service for a proxy is told so when all that is owed has left, and who closes its half of the
 * connection behind its requests has their answers (RFC 9293, section 3.6: it has no more to send, and still reads).
 */
export function takeOddRequests(server: Server, answerBroken: BrokenRequestAnswerer): void {
  // Node.js would close the other half at once. It has a name for this in its servers, and none in its documentation.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket) => socket.once("end", () => endSoon(socket)));
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  server.on("connect", (_request, socket) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    // Node.js has let go of it.
    socket.on("error", () => socket.destroy());
    answerBroken(Object.assign(new Error("a tunnel is asked for"), { code: TUNNEL }), socket);
  });
}

/** Characters that no host and port have; a comma joins two hosts in one field. */
const NOT_IN_HOST = /[\s,/?#@\\]/;

/** Returns the rule of HTTP that a whole request breaks (RFC 9112, section 3.2, and RFC 9110, section 10.1.1). */
export function breachOf({
  headers: { host, expect },
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders">): ApiError | undefined {
  if (host === undefined && httpVersion === "1.1") {
    return new ApiError("INVALID_REQUEST", "send a Host header, as HTTP/1.1 asks for");
  }
  // Node.js keeps the first of several.
  if (host !== undefined && (NOT_IN_HOST.test(host) || timesSent("host", rawHeaders) > 1)) {
    return new ApiError(
      "INVALID_REQUEST",
      "send one Host header with one host; a proxy may have added another",
    );
  }
  if (expect === undefined || httpVersion !== "1.1" || CONTINUE.test(expect)) return undefined;
  return new ApiError(
    "INVALID_REQUEST",
    "leave out the Expect header: nothing but 100-continue can be expected",
  );
}

/** Counts the lines of a header, of which Node.js keeps the first or joins all. @param name in lower case */
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
  /** Told of the client's address, undefined when it is gone. */
  readonly count: (address: string | undefined) => void;
}

/**
 * Answers what is no HTTP, too large or too slow in the form of every other error, and closes the connection; what that is owed for requests before
 * leaves first, as it may have been charged or begun. No route has seen such a request: what every answer carries is written here. Each is counted,
 * also one that is cut within its header, when it is the first of its connection: after another one the same reset may be the end of an idle one.
 */
export function brokenRequestAnswerer({ newRequestId, count }: BrokenRequestParts): BrokenRequestAnswerer {
  return (error, socket) => {
    const memory = memoryOf(socket);
    const { isBroken } = memory;
    if (error.code === "ECONNRESET" || (!isBroken && !socket.writable)) {
      if (socket.bytesRead > 0 && !memory.hasAsked && !isBroken) count(socket.remoteAddress);
      socket.destroy();
      return;
    }
    // A proxy would take an answer for that to the next request that it sends.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && socket.bytesRead === 0) return void socket.destroy();
    // Each piece that follows is told as broken too, and so is the time that is over.
    if (isBroken) return;
    memory.isBroken = true;
    count(socket.remoteAddress);
    afterOwed(socket, memory.newest, (isAnswered) => {
      if (socket.writable) socket.end(isAnswered ? "" : refusal(error.code, newRequestId()));
      closeSlowly(socket);
    });
  };
}

/** @param end ends the connection; told whether the broken request itself was answered */
function afterOwed(
  socket: Socket,
  newest: ServerResponse | undefined,
  end: (isAnswered: boolean) => void,
): void {
  // Where the newest request has come whole, what is broken is the one behind it.
  const isAnswered = newest?.req.complete === false;
  if (newest === undefined || newest.destroyed) end(isAnswered);
  else if (!isAnswered || !waitsForBody(newest)) {
    holdBack(socket);
    newest.once("close", () => end(isAnswered));
  } else if (newest.socket !== null) end(false);
  else {
    holdBack(socket);
    // Its turn has come: an answer that was begun meanwhile leaves by itself.
    newest.once("socket", () => {
      if (newest.headersSent) newest.once("close", () => end(true));
      else end(false);
    });
  }
}

/** Whether an answer is not begun because of a body that never comes whole: nothing was charged for it yet. */
function waitsForBody({ headersSent, req: { method } }: ServerResponse): boolean {
  return !headersSent && method !== "GET" && method !== "HEAD";
}

/** Takes nothing more of a client whose answers are still to leave, and cuts it where they do not in time: by a reset, so that it shows. */
function holdBack(socket: Socket): void {
  socket.pause();
  within(OWED_WITHIN_MS, socket, () => socket.resetAndDestroy());
}

/** Drops what a client goes on sending until it has closed its side: left unread it would reset the connection, and what has left would be lost. */
function closeSlowly(socket: Socket): void {
  socket.resume();
  within(CLOSED_WITHIN_MS, socket, () => socket.destroy());
}

function within(ms: number, socket: Socket, end: () => void): void {
  const timer = setTimeout(end, ms);
  socket.once("close", () => clearTimeout(timer));
}

/** Node.js has no response object for what it could not parse. */
function refusal(code: string | undefined, requestId: string): string {
  const body = JSON.stringify(errorBody("INVALID_REQUEST", WHAT_TO_DO[code ?? ""] ?? NOT_VALID));
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

/** The remedy for a broken request, by the code of its error. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `path and headers may have ${LIMITS.http.maxHeaderSize} bytes together`,
  ERR_HTTP_REQUEST_TIMEOUT: `send the whole request within ${LIMITS.requestTimeout / 1_000} s`,
  HPE_INVALID_URL: `${NOT_VALID}: a URL is ASCII, so percent-encode everything else in UTF-8 (é is %C3%A9)`,
  HPE_INVALID_CONSTANT: `${NOT_VALID}: percent-encode the spaces of a URL as %20`,
  [TUNNEL]: "this is no proxy: send no CONNECT",
};
