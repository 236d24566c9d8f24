import type { FastifyRequest } from "fastify";
import { invalid } from "../contract/errors.ts";

/** A name or an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[a-z0-9][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i;

/**
 * Returns the URL of this service as the caller reached it.
 * @throws {ApiError} INVALID_REQUEST for a malformed host, which a response must not repeat
 */
export function reachedUrl({ protocol, host }: Pick<FastifyRequest, "protocol" | "host">): string {
  const url = `${protocol === "https" ? "https" : "http"}://${host}`;
  if (HOST.test(host) && URL.canParse(url)) return url;
  throw invalid("the Host header must be a host name or address with an optional port");
}
