import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { errorAnswer, type Reply } from "./answers.ts";
import { asUnregistered } from "./check.ts";
import type { MetFault } from "./faultBoard.ts";

/** One request's way out. */
export interface Outgoing {
  readonly response: ServerResponse;
  /** Aborted when the caller has hung up or the simulator stops. */
  readonly gone: AbortSignal;
  /** Told just before the last byte leaves: a caller that then asks again finds this request no longer under way. */
  readonly onLast: () => void;
}

const SLOW_BODY_EVERY_MS = 20;
const BYTE_ORDER_MARK = "\ufeff";
const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head>" +
  "<body><h1>The service is temporarily unavailable</h1></body></html>\n";

/** Sends the answer as the fault has it; a hang is not for here. Settles when all is sent or the caller is gone. */
export async function deliver(
  outgoing: Outgoing,
  reply: () => Reply,
  fault: Exclude<MetFault, { kind: "hang" }> | undefined,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return send(outgoing, reply());
    case "code":
      return send(outgoing, errorAnswer(fault.code, fault.status));
    case "latency":
      await pause(fault.ms, outgoing.gone);
      return send(outgoing, reply());
    case "reset":
      outgoing.onLast();
      outgoing.response.req.socket.resetAndDestroy();
      return;
    case "html":
      return sendBytes(outgoing, fault.status ?? 503, PAGE, "text/html;charset=UTF-8");
    case "truncated":
      return cutOff(outgoing, reply());
    case "cutJson": {
      const { status, body } = reply();
      const json = JSON.stringify(body);
      return sendBytes(outgoing, status, json.slice(0, json.length / 2));
    }
    case "bom": {
      const { status, body } = reply();
      return sendBytes(outgoing, status, BYTE_ORDER_MARK + JSON.stringify(body));
    }
    case "slowBody":
      return dribble(outgoing, reply(), fault.everyMs ?? SLOW_BODY_EVERY_MS);
    case "emptyErrors":
      return send(outgoing, { status: 200, body: { actionSucceed: false, errorWrappers: [] } });
    case "nullError":
      return send(outgoing, { status: 200, body: { actionSucceed: false, errorWrappers: [null] } });
    case "missingValid": {
      const { status, body } = reply();
      const { valid: _left, ...rest } = body;
      return send(outgoing, { status, body: rest });
    }
    case "wrongValid": {
      const { status, body } = reply();
      return send(
        outgoing,
        "valid" in body ? { status, body: { ...body, valid: "true" } } : { status, body },
      );
    }
    case "invalid":
      return send(outgoing, asUnregistered(reply()));
  }
}

/** Sends an answer whole. */
export function send(outgoing: Outgoing, { status, body }: Reply): void {
  sendBytes(outgoing, status, JSON.stringify(body));
}

function sendBytes({ response, onLast }: Outgoing, status: number, text: string, type?: string): void {
  onLast();
  response.writeHead(status, headersFor(text, type));
  response.end(text);
}

function headersFor(text: string, type = "application/json"): Record<string, string | number> {
  return { "content-type": type, "content-length": Buffer.byteLength(text) };
}

/** The head promises the whole body; the connection ends after half of it. */
function cutOff({ response, onLast }: Outgoing, { status, body }: Reply): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, headersFor(bytes.toString()));
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    onLast();
    response.req.socket.end();
  });
}

async function dribble(outgoing: Outgoing, { status, body }: Reply, everyMs: number): Promise<void> {
  const { response, gone, onLast } = outgoing;
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, headersFor(bytes.toString()));
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
