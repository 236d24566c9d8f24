import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { getCACertificates } from "node:tls";
import { decoded } from "./decoded.ts";

export interface PoolOptions {
  /** The largest response that is read, bytes, as received and without its content coding. */
  readonly maxBytes: number;
  /** Root certificates in PEM, trusted in addition to those that Node trusts. */
  readonly extraCertificates?: string;
}

export interface Question {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/** A response, read whole; a redirection is one like any other, and nobody follows it. */
export interface Response {
  readonly kind: "response";
  readonly status: number;
  /** Names in lower case; of a repeated one the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Why there is none. `refused`: no connection came about, so that nothing can have been received at the other end.
 * `untrusted`: a connection came about, to somebody whose certificate is not trusted.
 */
export interface NoResponse {
  readonly kind: "timed-out" | "too-long" | "refused" | "untrusted" | "broken";
}

/** Connections to one upstream. */
export interface Pool {
  /** One call. Never rejects. */
  ask(url: string, question: Question): Promise<Response | NoResponse>;
  /** Ends every call at once. */
  close(): Promise<void>;
}

/** Connections are kept for the next call, as making one takes several round trips. */
const KEEP_ALIVE_MS = 30_000;
const CONNECT_WITHIN_MS = 3_000;

/** Opens a pool. A connection is made when one is first needed. */
export function openPool({ maxBytes, extraCertificates }: PoolOptions): Pool {
  const kept = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  const http: Transport = { agent: new HttpAgent(kept), request: requestHttp, connected: "connect" };
  const https: Transport = {
    agent: new HttpsAgent({
      ...kept,
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
        return await readWhole(await send(transport, url, question), maxBytes);
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
  { method = "GET", headers = {}, body, signal }: Question,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = newRequest(url, { method, headers: { ...headers }, agent, signal });
    request.on("error", reject);
    request.on("response", resolve);
    // A connection that is closed for `101 Switching Protocols` is no error to Node.
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

/** Reads a response to its end. Both the received and the decoded body may have `maxBytes`. */
async function readWhole(response: IncomingMessage, maxBytes: number): Promise<Response> {
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
  // Several addresses of one name that all refuse come as one error that holds the others.
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

const SECONDS = /^[0-9]+$/;
/** The forms of a date that RFC 9110, section 5.6.7, has recipients accept; all of them are GMT. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*[0-9]{2}:[0-9]{2}:[0-9]{2}/;
/** Longer ones are of no use to anyone who waits. */
const MAX_SECONDS = 86_400;

/**
 * The `Retry-After` of a response, whole seconds; undefined when there is none to wait for: absent, zero, past or unreadable. A date counts
 * from the response's own `Date`, as the clocks need not agree.
 */
export function retryAfterSeconds({ headers }: Pick<Response, "headers">): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  const seconds = SECONDS.test(text)
    ? Number(text)
    : (dateMs(text) - (dateMs(headers["date"] ?? "") || Date.now())) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_SECONDS) : undefined;
}

/** Unix milliseconds; NaN for what is no date. */
function dateMs(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}
