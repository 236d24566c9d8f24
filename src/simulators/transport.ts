import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type Kinds, MS, matching, optional, STATUS, wholeNumber } from "./kinds.ts";

/** An answer before it is sent. */
export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Beside content-type and content-length, or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request's way out. */
export interface Outgoing {
  readonly response: ServerResponse;
  /** Aborted when the caller has hung up or the simulator stops. */
  readonly gone: AbortSignal;
  /** Told just before the last byte leaves: a caller that then asks again finds this request no longer under way. */
  readonly onLast: () => void;
}

/** What can go wrong with an answer on its way, whatever it says. Times are in milliseconds. */
export type TransportFault =
  /** The right answer, late. */
  | { readonly kind: "latency"; readonly ms: number }
  /** The connection is reset instead of an answer. */
  | { readonly kind: "reset" }
  /** A page of HTML, with 503 unless `status` says otherwise. */
  | { readonly kind: "html"; readonly status?: number }
  /** The connection ends in the middle of the body. */
  | { readonly kind: "truncated" }
  /** A whole HTTP answer with half of the JSON. */
  | { readonly kind: "cutJson" }
  /** A byte order mark before the right answer. */
  | { readonly kind: "bom" }
  /** The right answer with a `Content-Encoding` that nobody asked for. */
  | { readonly kind: "compressed"; readonly coding: keyof typeof CODINGS }
  /** `100 Continue`, for which nobody waits, before the right answer. */
  | { readonly kind: "interim" }
  /** 429 unless `status` says otherwise, with `Retry-After` when seconds are given. */
  | { readonly kind: "tooMany"; readonly retryAfterSeconds?: number; readonly status?: number }
  /** The right answer byte by byte, `everyMs` (20 unless given) between two. */
  | { readonly kind: "slowBody"; readonly everyMs?: number };

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

export const TRANSPORT_KINDS: Kinds<TransportFault["kind"]> = {
  latency: { ms: MS },
  reset: {},
  html: { status: optional(STATUS) },
  truncated: {},
  cutJson: {},
  bom: {},
  compressed: { coding: matching(/^(gzip|deflate|br|zstd)$/, "gzip, deflate, br or zstd") },
  interim: {},
  tooMany: { retryAfterSeconds: optional(wholeNumber(0, 86_400)), status: optional(STATUS) },
  slowBody: { everyMs: optional(MS) },
};

const SLOW_BODY_EVERY_MS = 20;
const BYTE_ORDER_MARK = "\ufeff";
const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head>" +
  "<body><h1>The service is temporarily unavailable</h1></body></html>\n";

/** Sends the answer as the fault has it. Settles when all is sent or the caller is gone. */
export async function deliver(
  outgoing: Outgoing,
  reply: () => Reply,
  fault: TransportFault | undefined,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return send(outgoing, reply());
    case "latency":
      await pause(fault.ms, outgoing.gone);
      return send(outgoing, reply());
    case "reset":
      outgoing.onLast();
      outgoing.response.req.socket.resetAndDestroy();
      return;
    case "html":
      return sendText(outgoing, { status: fault.status ?? 503, headers: HTML }, PAGE);
    case "truncated":
      return cutOff(outgoing, reply());
    case "cutJson": {
      const whole = reply();
      const json = JSON.stringify(whole.body);
      return sendText(outgoing, whole, json.slice(0, json.length / 2));
    }
    case "bom": {
      const whole = reply();
      return sendText(outgoing, whole, BYTE_ORDER_MARK + JSON.stringify(whole.body));
    }
    case "compressed": {
      const whole = reply();
      const bytes = CODINGS[fault.coding](JSON.stringify(whole.body));
      const headers = { ...whole.headers, "content-encoding": fault.coding };
      return sendText(outgoing, { ...whole, headers }, bytes);
    }
    case "interim":
      outgoing.response.writeContinue();
      return send(outgoing, reply());
    case "tooMany": {
      const { retryAfterSeconds: after, status = 429 } = fault;
      const headers = {
        "content-type": "text/plain",
        ...(after !== undefined && { "retry-after": `${after}` }),
      };
      return sendText(outgoing, { status, headers }, "Too many requests\n");
    }
    case "slowBody":
      return dribble(outgoing, reply(), fault.everyMs ?? SLOW_BODY_EVERY_MS);
  }
}

/** Sends an answer whole. */
export function send(outgoing: Outgoing, reply: Reply): void {
  sendText(outgoing, reply, JSON.stringify(reply.body));
}

const HTML = { "content-type": "text/html;charset=UTF-8" };

type Head = Omit<Reply, "body">;

function sendText({ response, onLast }: Outgoing, head: Head, text: string | Buffer): void {
  onLast();
  response.writeHead(head.status, headersFor(head, text));
  response.end(text);
}

function headersFor({ headers }: Head, text: string | Buffer): Record<string, string | number> {
  return { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers };
}

/** The head promises the whole body; the connection ends after half of it. */
function cutOff({ response, onLast }: Outgoing, reply: Reply): void {
  const bytes = Buffer.from(JSON.stringify(reply.body));
  response.writeHead(reply.status, headersFor(reply, bytes.toString()));
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    onLast();
    response.req.socket.end();
  });
}

async function dribble(outgoing: Outgoing, reply: Reply, everyMs: number): Promise<void> {
  const { response, gone, onLast } = outgoing;
  const bytes = Buffer.from(JSON.stringify(reply.body));
  response.writeHead(reply.status, headersFor(reply, bytes.toString()));
  for (let at = 0; at < bytes.length - 1; at += 1) {
    response.write(bytes.subarray(at, at + 1));
    await pause(everyMs, gone);
    if (gone.aborted) return;
  }
  onLast();
  response.end(bytes.subarray(-1));
}

/** Waits so long, or until the caller is gone. */
async function pause(ms: number, gone: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: gone }).catch((error: unknown) => {
    if (!gone.aborted) throw error;
  });
}
