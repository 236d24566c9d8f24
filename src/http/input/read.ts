import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";
import type { Input, InputSchema, Upload } from "../endpoint.ts";
import { bodyReader } from "./body.ts";
import { knownOnce, type RawQuery } from "./query.ts";
import { type Sent, schemaReader, TEXT } from "./schemaReader.ts";

const NOTHING = {};
const NO_TEXTS: Sent = { get: () => undefined };

export type InputReader = (request: FastifyRequest, query: RawQuery) => Input;

/**
 * Reads all that a caller sent to an endpoint, checked by its schema. Made once for an endpoint. What it makes throws
 * an ApiError for the first thing that breaks a rule.
 */
export function inputReader(
  { params, querystring, body }: InputSchema,
  uploads?: readonly string[],
): InputReader {
  const known = querystring === undefined ? [] : Object.keys(querystring.properties);
  const readParams = params === undefined ? undefined : schemaReader(params, TEXT);
  const readQuery = querystring === undefined ? undefined : schemaReader(querystring, TEXT);
  const readBody = body === undefined ? undefined : bodyReader(body);
  return (request, query) => {
    const isBare = query.pairs.length === 0 && query.undecodable === undefined;
    const texts = isBare ? NO_TEXTS : knownOnce(query, known);
    return {
      params: readParams?.(pathTexts(request.params)) ?? NOTHING,
      query: readQuery?.(texts) ?? NOTHING,
      body: readBody?.(request.headers["content-type"], request.body) ?? NOTHING,
      headers: request.headers,
      ...(uploads !== undefined && { upload: uploadOf(request, uploads) }),
    };
  };
}

/** The parameters of a path, which the router has decoded. */
function pathTexts(params: unknown): Sent {
  const texts = params as Readonly<Record<string, string | undefined>>;
  return { get: (name) => texts[name] };
}

/** A body that its endpoint reads while it comes in. @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST without one */
function uploadOf({ headers, body }: FastifyRequest, types: readonly string[]): Upload {
  const given = headers["content-type"];
  const type = given?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === undefined || !types.includes(type)) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      `send the body as Content-Type: ${types.join(" or ")}; received ${quoted(given ?? "none")}`,
    );
  }
  if (!(body instanceof Readable))
    throw new ApiError("INVALID_REQUEST", "a body is needed; none was received");
  return { type, stream: body };
}
