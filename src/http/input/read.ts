import type { FastifyRequest } from "fastify";
import type { EndpointSchema, Input } from "../endpoint.ts";
import { readBody } from "./body.ts";
import { readFields } from "./fields.ts";
import { knownOnce, type RawQuery } from "./query.ts";

const NOTHING = {};

/**
 * All that a caller sent to an endpoint, checked by its schema.
 * @throws {ApiError} for the first thing that breaks a rule
 */
export function readInput(schema: EndpointSchema, request: FastifyRequest, query: RawQuery): Input {
  const parameters = schema.querystring;
  const known = parameters === undefined ? [] : Object.keys(parameters.properties);
  const texts =
    query.pairs.length === 0 && query.undecodable === undefined ? undefined : knownOnce(query, known);
  return {
    params: schema.params === undefined ? NOTHING : readFields(schema.params, pathTexts(request.params)),
    query: parameters === undefined ? NOTHING : readFields(parameters, texts ?? new Map()),
    body:
      schema.body === undefined
        ? NOTHING
        : readBody(schema.body, request.headers["content-type"], request.body),
  };
}

function pathTexts(params: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}
