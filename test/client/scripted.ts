import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { servingPort } from "../kit/server.ts";

/** A request that reached the server. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A scripted response: a normal one, `nothing` for no response ever, or a connection reset. */
export type Scripted =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | number>>;
      readonly body?: unknown;
      /** Sent unchanged instead of `body`. */
      readonly text?: string;
      /** Announces one byte more than it sends, and breaks the connection off. */
      readonly cut?: true;
    }
  | "nothing"
  | "reset";

/** A real server with scripted responses, for situations that are hard to provoke in the service itself. */
export interface ScriptedServer {
  readonly address: string;
  /** The requests since the last script. */
  readonly seen: readonly Seen[];
  /** Sets the next responses; the last one repeats. */
  answer(...answers: readonly Scripted[]): void;
}

export async function startScripted(): Promise<ScriptedServer> {
  let script: readonly Scripted[] = [];
  const seen: Seen[] = [];
  const port = await servingPort(async (request, response) => {
    const body = await textOf(request);
    const { method = "", url = "", headers } = request;
    const scripted = script[Math.min(seen.length, script.length - 1)] ?? {};
    seen.push({ method, path: url, headers, body });
    give(scripted, response);
  });
  return {
    address: `http://127.0.0.1:${port}`,
    seen,
    answer(...answers) {
      script = answers;
      seen.length = 0;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function give(scripted: Scripted, response: ServerResponse): void {
  if (scripted === "nothing") return;
  if (scripted === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status = 200, headers = {}, body = {}, text = JSON.stringify(body), cut } = scripted;
  const allHeaders = { "content-type": "application/json", ...headers };
  if (cut === undefined) {
    response.writeHead(status, allHeaders).end(text);
    return;
  }
  response.writeHead(status, { ...allHeaders, "content-length": Buffer.byteLength(text) + 1 });
  response.write(text, () => response.socket?.destroySoon());
}

/** An error response of the service. */
export function refusal(
  status: number,
  code: string,
  headers: Record<string, string | number> = {},
): Scripted {
  return { status, headers, body: { error: { code, message: `this is ${code}` } } };
}
