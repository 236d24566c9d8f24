import type { IncomingMessage, ServerResponse as NodeResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { type HeadLines, headersIn } from "./headLines.ts";
import { LIMITS } from "./limits.ts";

// Importing this module would load `fetch` with it, a twentieth of a start.
const { ServerResponse } = process.getBuiltinModule("node:http");

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
   * @returns false when this is another one, or Node.js keeps heads elsewhere: then nothing was done, and `writeHead` must be used
   */
  takeHead(lines: HeadLines): boolean {
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
export function sendWhole({ raw }: Pick<FastifyReply, "raw">, lines: HeadLines, text: string): void {
  const bytes = Buffer.byteLength(text);
  const all = `${lines}content-length: ${bytes}\r\n`;
  const isTaken = raw instanceof WholeResponse && raw.takeHead(all);
  if (!isTaken) writeOneByOne(raw, all, 200);
  // What has as many bytes as letters is ASCII, which is written as it lies in memory.
  raw.end(text, bytes === text.length ? "latin1" : "utf8");
}

/** Says with these headers, and nothing else, that the client holds the body already: 304 has none, and no length of one. */
export function sendNotModified({ raw }: Pick<FastifyReply, "raw">, lines: HeadLines): void {
  writeOneByOne(raw, lines, 304);
  raw.end();
}

function writeOneByOne(raw: NodeResponse, lines: HeadLines, status: number): void {
  for (const [name, value] of Object.entries(headersIn(lines))) raw.setHeader(name, value);
  raw.writeHead(status);
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
