import type { FastifyRequest } from "fastify";
import { AccountRefusal, PersonRefusal, type RefusalReason } from "../../accounts/refusal.ts";
import { ApiError, type ErrorCode, forbidden } from "../../contract/errors.ts";
import { known } from "../../lib/values.ts";

/** `tls`: cookies are Secure and `__Host-`. `loopback`: plain HTTP within this machine. */
export type Transport = "tls" | "loopback";

const FORWARDED = [
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "forwarded",
  "x-real-ip",
  "via",
];
const LOOPBACK_HOST = /^(localhost|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[::1\])(:[0-9]{1,5})?$/i;
const LOOPBACK_PEER = /^(::ffff:)?127\.|^::1$/;

export type Arrival = ReturnType<typeof arrivalOf>;

/** Returns the facts of a request that cookies and origin checks depend on. */
export function arrivalOf({ protocol, method, headers, raw }: FastifyRequest) {
  return {
    /** As seen by the service or a trusted proxy. */
    protocol,
    method,
    peer: raw.socket.remoteAddress,
    host: headers.host,
    /** Whether a proxy forwarded the request. */
    isForwarded: FORWARDED.some((name) => headers[name] !== undefined),
    origin: headers.origin,
    fetchSite: headers["sec-fetch-site"],
  };
}

/**
 * Returns the transport of a request: TLS, or loopback on this machine.
 * @throws {ApiError} FORBIDDEN for any other, because passwords need TLS
 */
export function transportOf(arrival: Arrival, publicUrl: string | undefined): Transport {
  if (arrival.protocol === "https") return "tls";
  const { peer = "", host = "", isForwarded } = arrival;
  const isHere = LOOPBACK_PEER.test(peer) && LOOPBACK_HOST.test(host) && !isForwarded;
  if (isHere && !publicUrl?.startsWith("https:")) return "loopback";
  throw forbidden(
    `the account page needs TLS: open ${publicUrl ?? "it by https"}. (Operator: behind a proxy set TRUST_PROXY and forward X-Forwarded-Proto.)`,
  );
}

/**
 * Checks that a change was requested by the page itself. Browsers send the origin, and other pages cannot forge it.
 * @throws {ApiError} FORBIDDEN
 */
export function checkOrigin(arrival: Arrival, transport: Transport, publicUrl: string | undefined): void {
  const { method, origin, fetchSite, host = "" } = arrival;
  if (method === "GET" || method === "HEAD") return;
  if (publicUrl === undefined && transport === "tls") {
    throw forbidden("the operator of this service must set PUBLIC_URL to the address of this page");
  }
  // Other pages cannot make a browser send a different Host.
  const own = publicUrl === undefined ? `http://${host.toLowerCase()}` : new URL(publicUrl).origin;
  const isOwn = origin === undefined ? fetchSite === "same-origin" : origin === own;
  if (isOwn && (fetchSite === undefined || fetchSite === "same-origin")) return;
  throw forbidden(`changes are only accepted from the page at ${own}; open the page there`);
}

const CODES: Readonly<Record<RefusalReason, ErrorCode>> = {
  signup: "FORBIDDEN",
  input: "INVALID_REQUEST",
  credentials: "UNAUTHORIZED",
  password: "FORBIDDEN",
  code: "INVALID_REQUEST",
  token: "FORBIDDEN",
  away: "SERVICE_UNAVAILABLE",
  tries: "RATE_LIMIT_EXCEEDED",
  "not-found": "NOT_FOUND",
  once: "FORBIDDEN",
  busy: "SERVICE_UNAVAILABLE",
};

/** Converts a refusal to an API error; returns anything else unchanged. */
export function asAnswer(error: unknown): unknown {
  if (error instanceof AccountRefusal) {
    return new ApiError("INVALID_REQUEST", error.message, { cause: error, ...known("field", error.field) });
  }
  if (!(error instanceof PersonRefusal)) return error;
  return new ApiError(CODES[error.reason], error.message, {
    cause: error,
    ...known("retryAfterSeconds", error.retryAfterSeconds),
    ...known("field", error.field),
  });
}
