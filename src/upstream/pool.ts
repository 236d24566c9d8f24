import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { getCACertificates } from "node:tls";
import { known } from "../lib/values.ts";
import { decoded } from "./decoded.ts";

export interface HttpPoolOptions {
  /** Maximum size of a response, bytes, as received and decoded; a request may set its own. */
  readonly maxBytes: number;
  /** Root certificates in PEM, trusted in addition to the certificates of Node. */
  readonly extraCertificates?: string;
}

export interface UpstreamRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes?: number;
  /** Finds the address of a host that a stranger names. Without it, the system does. */
  readonly lookup?: LookupFunction;
  /** Cancels the call. */
  readonly signal: AbortSignal;
}

/** A whole response. Redirects are not followed. */
export interface UpstreamResponse {
  readonly kind: "response";
  readonly status: number;
  /** Names in lower case; only the first of repeated headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Why there is no response. `refused`: no connection was made, so the upstream cannot have received anything.
 * `untrusted`: the server's certificate is not trusted.
 */
export interface NoResponse {
  readonly kind: "timed-out" | "too-long" | "refused" | "untrusted" | "broken";
}

/** Connections to one upstream. */
export interface HttpPool {
  /** Makes one call. Never rejects. */
  ask(url: string, question: UpstreamRequest): Promise<UpstreamResponse | NoResponse>;
  /** Cancels all calls. */
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 30_000;
const CONNECT_WITHIN_MS = 3_000;

/** Opens a pool, without connecting yet. */
export function openHttpPool({ maxBytes, extraCertificates }: HttpPoolOptions): HttpPool {
  const keepAlive = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  const http: Transport = { agent: new HttpAgent(keepAlive), request: requestHttp, connected: "connect" };
  const https: Transport = {
    agent: new HttpsAgent({
      ...keepAlive,
      ...(extraCertificates !== undefined && { ca: [...getCACertificates("default"), extraCertificates] }),
    }),
    request: requestHttps,
    connected: "secureConnect",
  };
  let isClosed = false;
  return {
    async ask(url, question) {
      try {
        if (isClosed) return { kind: "broken" };
        const transport = url.startsWith("https:") ? https : http;
        return await readWhole(await send(transport, url, question), question.maxBytes ?? maxBytes);
      } catch (error) {
        return { kind: question.signal.aborted ? "timed-out" : kindOf(error) };
      }
    },

    async close() {
      isClosed = true;
      http.agent.destroy();
      https.agent.destroy();
    },
  };
}

interface Transport {
  readonly agent: HttpAgent;
  readonly request: typeof requestHttp;
  /** The event of a socket that is ready for a request. */
  readonly connected: "connect" | "secureConnect";
}

/** Sends a request. The response is the final one: Node skips interim ones, such as `100 Continue`. */
function send(
  { agent, request: newRequest, connected }: Transport,
  url: string,
  { method = "GET", headers = {}, body, lookup, signal }: UpstreamRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = newRequest(url, {
      method,
      headers: { ...headers },
      agent,
      signal,
      ...known("lookup", lookup),
    });
    request.on("error", reject);
    request.on("response", resolve);
    // Node reports no error for a connection that is closed after `101 Switching Protocols`.
    request.on("close", () => reject(new Error("closed without a response")));
    request.once("socket", (socket) => {
      if (request.reusedSocket) return;
      const giveUp = () => request.destroy(Object.assign(new Error("no connection in time"), NO_CONNECTION));
      const timer = setTimeout(giveUp, CONNECT_WITHIN_MS);
      for (const event of [connected, "close"]) socket.once(event, () => clearTimeout(timer));
    });
    request.end(body);
  });
}

/** Reads a whole response. `maxBytes` limits both the received and the decoded body. */
async function readWhole(response: IncomingMessage, maxBytes: number): Promise<UpstreamResponse> {
  const received: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new RangeError("the response is too long");
    received.push(chunk);
  }
  const headers = firstOfEach(response.headersDistinct);
  const codings = response.headersDistinct["content-encoding"]?.join() ?? "";
  const body = await decoded(Buffer.concat(received), codings, maxBytes);
  return { kind: "response", status: response.statusCode ?? 0, headers, text: body.toString() };
}

const NO_CONNECTION = { code: "NO_CONNECTION" } as const;
/** Error codes of a connection that was never made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  NO_CONNECTION.code,
]);
const NO_HANDSHAKE = /^(?:EPROTO$|ERR_SSL_)/;
const NOT_TRUSTED = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

function kindOf(error: unknown): Exclude<NoResponse["kind"], "timed-out"> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof RangeError) return "too-long";
  if (NOT_CONNECTED.has(code) || NO_HANDSHAKE.test(code)) return "refused";
  if (NOT_TRUSTED.test(code)) return "untrusted";
  // Node reports the failures of several addresses of one name as one AggregateError.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const kinds = error.errors.map(kindOf);
    return kinds.every((kind) => kind === "refused") ? "refused" : "broken";
  }
  return "broken";
}

function firstOfEach(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values?.[0] ?? ""]));
}
