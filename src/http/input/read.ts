import type { FastifyRequest } from "fastify";
import type { EndpointSchema, Input } from "../endpoint.ts";
import { readBody } from "./body.ts";
import { type FieldTexts, fieldsReader } from "./fields.ts";
import { knownOnce, type RawQuery } from "./query.ts";

const NOTHING = {};
const NO_TEXTS: FieldTexts = { get: () => undefined };

export type InputReader = (request: FastifyRequest, query: RawQuery) => Input;

/**
 * Reads all that a caller sent to an endpoint, checked by its schema. Made once for an endpoint. What it makes throws
 * an ApiError for the first thing that breaks a rule.
 */
export function inputReader({ params, querystring, body }: Omit<EndpointSchema, "response">): InputReader {
  const known = querystring === undefined ? [] : Object.keys(querystring.properties);
  const readParams = params === undefined ? undefined : fieldsReader(params);
  const readQuery = querystring === undefined ? undefined : fieldsReader(querystring);
  return (request, query) => {
    const isBare = query.pairs.length === 0 && query.undecodable === undefined;
    const texts = isBare ? NO_TEXTS : knownOnce(query, known);
    return {
      params: readParams?.(pathTexts(request.params)) ?? NOTHING,
      query: readQuery?.(texts) ?? NOTHING,
      body: body === undefined ? NOTHING : readBody(body, request.headers["content-type"], request.body),
    };
  };
}

/** The parameters of a path, which the router has decoded. */
function pathTexts(params: unknown): FieldTexts {
  const texts = params as Readonly<Record<string, string | undefined>>;
  return { get: (name) => texts[name] };
}
