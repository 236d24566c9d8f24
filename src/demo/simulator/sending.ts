import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { JsonObject } from "../../lib/values.ts";
import type { ActiveFault } from "./faults.ts";

/** A response before it is sent. */
export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
  /** Sent instead of the body as JSON. */
  readonly text?: string;
  /** Added to content-type and content-length, or replacing them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection on which a request is answered. */
export interface Outgoing {
  readonly response: ServerResponse;
  /** Aborted when the caller hangs up or the simulator stops. */
  readonly gone: AbortSignal;
  /** Called just before the last byte, so that a caller that sends its next request then is not counted twice. */
  readonly onLast: () => void;
}

const ENCODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
const SLOW_BODY_EVERY_MS = 20;
const BYTE_ORDER_MARK = "\ufeff";
const HTML = { "content-type": "text/html;charset=UTF-8" };
const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head>" +
  "<body><h1>The service is temporarily unavailable</h1></body></html>\n";

/** Sends a response under a fault of the connection. A fault of kind `code` is up to the caller. */
export async function sendReply(
  outgoing: Outgoing,
  reply: Reply,
  fault?: Exclude<ActiveFault, { kind: "code" }>,
): Promise<void> {
  const { response, gone, onLast } = outgoing;
  const json = reply.text ?? JSON.stringify(reply.body);
  switch (fault?.kind) {
    case "latency":
      await pause(fault.ms, gone);
      break;
    case "reset":
      onLast();
      response.req.socket.resetAndDestroy();
      return;
    case "html":
      return sendBody(outgoing, { status: fault.status ?? 503, headers: HTML }, PAGE);
    case "truncated":
      return cutOff(outgoing, reply, json);
    case "cutJson":
      return sendBody(outgoing, reply, json.slice(0, json.length / 2));
    case "bom":
      return sendBody(outgoing, reply, BYTE_ORDER_MARK + json);
    case "compressed": {
      const headers = { ...reply.headers, "content-encoding": fault.coding };
      return sendBody(outgoing, { ...reply, headers }, ENCODERS[fault.coding](json));
    }
    case "interim":
      response.writeContinue();
      break;
    case "tooMany": {
      const { retryAfterSeconds: after, status = 429 } = fault;
      const retry = after === undefined ? {} : { "retry-after": `${after}` };
      return sendBody(
        outgoing,
        { status, headers: { "content-type": "text/plain", ...retry } },
        "Too many requests\n",
      );
    }
    case "slowBody":
      return dribble(outgoing, reply, json, fault.everyMs ?? SLOW_BODY_EVERY_MS);
  }
  sendBody(outgoing, reply, json);
}

type Head = Omit<Reply, "body" | "text">;

function writeHead({ response }: Outgoing, { status, headers }: Head, body: string | Buffer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
}

function sendBody(outgoing: Outgoing, head: Head, body: string | Buffer): void {
  outgoing.onLast();
  writeHead(outgoing, head, body);
  outgoing.response.end(body);
}

/** Announces the whole body and ends the connection after half of it. */
function cutOff(outgoing: Outgoing, head: Head, json: string): void {
  const { response, onLast } = outgoing;
  writeHead(outgoing, head, json);
  response.write(json.slice(0, json.length / 2), () => {
    onLast();
    response.req.socket.end();
  });
}

async function dribble(outgoing: Outgoing, head: Head, json: string, everyMs: number): Promise<void> {
  const { response, gone, onLast } = outgoing;
  const bytes = Buffer.from(json);
  writeHead(outgoing, head, bytes);
  for (let at = 0; at < bytes.length - 1; at += 1) {
    response.write(bytes.subarray(at, at + 1));
    await pause(everyMs, gone);
    if (gone.aborted) return;
  }
  onLast();
  response.end(bytes.subarray(-1));
}

/** Waits, at most until the caller is gone. */
async function pause(ms: number, gone: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: gone }).catch((error: unknown) => {
    if (!gone.aborted) throw error;
  });
}
