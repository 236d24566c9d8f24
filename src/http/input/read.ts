import type { FastifyRequest } from "fastify";
import type { EndpointSchema, Input } from "../endpoint.ts";
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
export function inputReader({ params, querystring, body }: Omit<EndpointSchema, "response">): InputReader {
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
    };
  };
}

/** The parameters of a path, which the router has decoded. */
function pathTexts(params: unknown): Sent {
  const texts = params as Readonly<Record<string, string | undefined>>;
  return { get: (name) => texts[name] };
}
