import type { IncomingMessage, ServerResponse as NodeResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { LIMITS } from "./limits.ts";

// Importing this module would load `fetch` with it, a twentieth of a start.
const { ServerResponse } = process.getBuiltinModule("node:http");

/** Names in lower case, and what this program says of them: no value comes from a caller. */
export type OwnHeaders = Readonly<Record<string, string | number>>;

/** Headers that are the same in many answers, and the text that they are. */
export interface FixedHeaders {
  readonly headers: OwnHeaders;
  readonly lines: string;
}

export function fixedHeaders(headers: OwnHeaders): FixedHeaders {
  return { headers, lines: asLines(headers) };
}

const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${LIMITS.keepAliveTimeout / 1_000}\r\n\r\n`;

/**
 * An answer whose head can be given as one text. `writeHead` takes it header by header, looking at each letter of each
 * name and value twice: a fifth of what a bare server's call costs, for texts that are constants and numbers.
 */
export class WholeResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** What Node.js keeps the head in from `writeHead` until it is sent, null before: the one thing of it that is relied on here. */
  declare _header: string | null;

  /**
   * Takes the head of an answer 200 that leaves the connection open, which is what nearly all do.
   * @param lines each ended by CR LF
   * @returns false when this is another one, or Node.js keeps heads elsewhere: then nothing was done, and `writeHead` must be used
   */
  takeHead(lines: string): boolean {
    const isUsual =
      this._header === null &&
      this.shouldKeepAlive &&
      this.req.method !== "HEAD" &&
      this.req.headers.expect === undefined &&
      this.getHeaderNames().length === 0;
    if (!isUsual) return false;
    this._header = `HTTP/1.1 200 OK\r\n${lines}Date: ${httpDate()}\r\n${KEEP_ALIVE}`;
    return this.headersSent;
  }
}

/** Sends a body with 200 and these headers, and nothing else that was set on the reply. */
export function sendWhole(
  { raw }: Pick<FastifyReply, "raw">,
  fixed: FixedHeaders,
  headers: OwnHeaders,
  text: string,
): void {
  const bytes = Buffer.byteLength(text);
  const isTaken =
    raw instanceof WholeResponse &&
    raw.takeHead(`${fixed.lines}${asLines(headers)}content-length: ${bytes}\r\n`);
  if (!isTaken) writeOneByOne(raw, { ...fixed.headers, ...headers, "content-length": bytes });
  // What has as many bytes as letters is ASCII, which is written as it lies in memory.
  raw.end(text, bytes === text.length ? "latin1" : "utf8");
}

/** Says with these headers, and nothing else, that the client holds the body already: 304 has none, and no length of one. */
export function sendNotModified({ raw }: Pick<FastifyReply, "raw">, headers: OwnHeaders): void {
  writeOneByOne(raw, headers, 304);
  raw.end();
}

function writeOneByOne(raw: NodeResponse, headers: OwnHeaders, status = 200): void {
  for (const name in headers) raw.setHeader(name, headers[name] ?? "");
  raw.writeHead(status);
}

function asLines(headers: OwnHeaders): string {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

let writtenSecond = -1;
let written = "";

/** The present second as an HTTP date (RFC 9110, section 5.6.7). */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== writtenSecond) {
    writtenSecond = second;
    written = new Date(second * 1_000).toUTCString();
  }
  return written;
}
