import type { FastifyRequest } from "fastify";
import { AccountRefusal, PersonRefusal, type RefusalReason } from "../../accounts/refusal.ts";
import { ApiError, type ErrorCode } from "../../contract/errors.ts";
import { known } from "../../lib/values.ts";

/** `tls`: cookies are Secure and `__Host-` · `loopback`: plain HTTP that never left this machine. */
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

/** How a request came, as far as cookies and origins depend on it. */
export function arrivalOf({ protocol, method, headers, raw }: FastifyRequest) {
  return {
    /** As the service, or a proxy that it trusts, saw it. */
    protocol,
    method,
    peer: raw.socket.remoteAddress,
    host: headers.host,
    /** Whether a proxy says that it passed the request on. */
    isForwarded: FORWARDED.some((name) => headers[name] !== undefined),
    origin: headers.origin,
    fetchSite: headers["sec-fetch-site"],
  };
}

/**
 * Whether a password may be sent this way: over TLS, or on this machine.
 * @throws {ApiError} FORBIDDEN that asks for TLS
 */
export function transportOf(arrival: Arrival, publicUrl: string | undefined): Transport {
  if (arrival.protocol === "https") return "tls";
  const { peer = "", host = "", isForwarded } = arrival;
  const isHere = LOOPBACK_PEER.test(peer) && LOOPBACK_HOST.test(host) && !isForwarded;
  if (isHere && !publicUrl?.startsWith("https:")) return "loopback";
  throw new ApiError(
    "FORBIDDEN",
    `the account page needs TLS: open ${publicUrl ?? "it by https"}. (Operator: behind a proxy set TRUST_PROXY and pass X-Forwarded-Proto on.)`,
  );
}

/**
 * Whether a change was asked by the page itself: a browser says where a request comes from, and no other page can lie
 * about it.
 * @throws {ApiError} FORBIDDEN
 */
export function checkOrigin(arrival: Arrival, transport: Transport, publicUrl: string | undefined): void {
  const { method, origin, fetchSite, host = "" } = arrival;
  if (method === "GET" || method === "HEAD") return;
  if (publicUrl === undefined && transport === "tls") {
    throw new ApiError(
      "FORBIDDEN",
      "the operator of this service must set PUBLIC_URL to the address of this page",
    );
  }
  // Nobody outside can make a browser send another Host than the one that it shows.
  const own = publicUrl === undefined ? `http://${host.toLowerCase()}` : new URL(publicUrl).origin;
  const isOwn = origin === undefined ? fetchSite === "same-origin" : origin === own;
  if (isOwn && (fetchSite === undefined || fetchSite === "same-origin")) return;
  throw new ApiError("FORBIDDEN", `changes are taken from the page at ${own} only`);
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
  nothing: "NOT_FOUND",
  once: "FORBIDDEN",
  busy: "SERVICE_UNAVAILABLE",
};

/** A refusal as the error that it is; anything else as it came. */
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
