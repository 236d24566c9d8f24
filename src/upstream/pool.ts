import { getCACertificates } from "node:tls";
import type { Agent, request } from "undici";
import { OpenedOnUse } from "../lib/openedOnUse.ts";

export interface PoolOptions {
  /** The largest response that is read, bytes. */
  readonly mostBytes: number;
  /** Root certificates in PEM that are trusted beside those that Node trusts. */
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

interface Client {
  readonly agent: Agent;
  readonly request: typeof request;
}

/** The library is loaded by the first call: it is a twentieth of what a start would load. */
async function openClient({ mostBytes, extraCertificates }: PoolOptions): Promise<Client> {
  const undici = await import("undici");
  const agent = new undici.Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: {
      timeout: CONNECT_WITHIN_MS,
      ...(extraCertificates !== undefined && { ca: [...getCACertificates("default"), extraCertificates] }),
    },
    // Over HTTP/1.1 a call that is ended takes its connection with it. One dead HTTP/2 connection, which all calls share,
    // would go on to swallow the calls after it.
    allowH2: false,
    // A response is read whole before it is believed, within the time of the signal.
    maxResponseSize: mostBytes,
  });
  return { agent, request: undici.request };
}

/** Opens a pool; a connection is made when it is needed first. */
export function openPool(options: PoolOptions): Pool {
  const client = new OpenedOnUse(
    () => openClient(options),
    ({ agent }) => agent.destroy(),
  );
  return {
    async ask(url, { method = "GET", headers = {}, body, signal }) {
      try {
        const { agent, request } = await client.get();
        const response = await request(url, {
          method,
          headers: { ...headers },
          ...(body !== undefined && { body }),
          dispatcher: agent,
          signal,
        });
        return {
          kind: "response",
          status: response.statusCode,
          headers: firstOfEach(response.headers),
          text: await response.body.text(),
        };
      } catch (error) {
        return { kind: signal.aborted ? "timed-out" : kindOf(error) };
      }
    },

    close: () => client.close(),
  };
}

/** Codes of Node and undici for a connection that never came about. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const NO_HANDSHAKE = /^(?:EPROTO$|ERR_SSL_)/;
const NOT_TRUSTED = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

function kindOf(error: unknown): Exclude<NoResponse["kind"], "timed-out"> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") return "too-long";
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
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name.toLowerCase(), first]];
    }),
  );
}
