import { isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";

/** A name or an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[a-z0-9][a-z0-9._-]{0,252}|\[(?<v6>[0-9a-f:.]{2,45})\])(?::(?<port>[0-9]{1,5}))?$/i;
const MAX_PORT = 65_535;

/**
 * Returns the URL of this service as the caller reached it.
 * @throws {ApiError} INVALID_REQUEST for a malformed host, which a response must not repeat
 */
export function reachedUrl({ protocol, host }: Pick<FastifyRequest, "protocol" | "host">): string {
  const { v6, port } = HOST.exec(host)?.groups ?? { v6: "none" };
  const isValid = (v6 === undefined || isIPv6(v6)) && Number(port ?? 0) <= MAX_PORT;
  if (isValid) return `${protocol === "https" ? "https" : "http"}://${host}`;
  throw new ApiError(
    "INVALID_REQUEST",
    "the Host header must be a host name or address with an optional port",
  );
}
