/** Batches of queries and data extension: `queries` or `extend` as a form field or a query parameter. */
import { Type } from "typebox";
import { invalid } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { isJsonObject, type JsonObject } from "../../lib/values.ts";
import { keyed, type Services } from "../endpoint.ts";
import { parseJson } from "../input/read.ts";
import { type Extension, extend, MAX_IDS, priceOfExtension, readExtension } from "./extend.ts";
import { RECONCILE_PATH, SPECIFIED } from "./properties.ts";
import { MAX_QUERIES, matchQueries, priceOfQueries, type QueryBatch, readQueries } from "./queries.ts";

/** 100 queries with all properties, percent-encoded. */
const MAX_BODY_BYTES = 512 * 1_024;

const Json = Type.Optional(
  Type.String({
    "x-rule": "JSON",
    // It may contain VAT numbers.
    "x-secret": true,
    "x-multiline": true,
  }),
);
/** `query` is one query of an old version of the specification: known, and refused. */
const FIELDS = Type.Object({ query: Type.Optional(Type.String()), queries: Json, extend: Json });

interface Fields {
  readonly queries?: string;
  readonly extend?: string;
}

/** @throws {ApiError} INVALID_REQUEST */
function read({ queries, extend: extension }: Fields): QueryBatch | Extension {
  if (queries !== undefined && extension === undefined) return readQueries(parse("queries", queries));
  if (extension !== undefined && queries === undefined) return readExtension(parse("extend", extension));
  throw invalid('send queries, such as {"q0":{"query":"Bakkerij Jansen"}}, or extend');
}

function parse(name: string, text: string): JsonObject {
  const value = parseJson(text, name);
  if (isJsonObject(value)) return value;
  throw invalid(`${name} must be a JSON object`);
}

const shared = {
  path: RECONCILE_PATH,
  operation: "reconcile",
  ...SPECIFIED,
  summary: "Reconcile names with companies, or extend companies with data",
  description: `One of two calls of the Reconciliation Service API 0.2. \`queries\` matches up to ${MAX_QUERIES} names with optional properties to companies (${PRICES.reconcile} token for each valid query, also when no company fits); a candidate with \`match: true\` is the company meant. \`extend\` returns properties of up to ${MAX_IDS} companies (${PRICES["reconcile.extend"]} token for each company delivered; with legal form, SBI or VAT number the price of an enriched lookup). The full price must be covered. One call counts once towards the rate limit.`,
  cost: (request: QueryBatch | Extension) =>
    request.kind === "queries" ? priceOfQueries(request) : priceOfExtension(request),
  // Many enriched companies take more than 2 ms of the event loop. Queries are paid work.
  mayBeSlow: (request: QueryBatch | Extension) => request.kind === "extension",
  handler: (request: QueryBatch | Extension, services: Services) =>
    request.kind === "queries" ? matchQueries(request, services) : extend(request, services),
} as const;

export const reconcile = keyed({
  ...shared,
  method: "POST",
  isForm: true,
  bodyLimit: MAX_BODY_BYTES,
  schema: { body: FIELDS, response: Type.Unknown() },
  read: ({ body }) => read(body),
});

/** The same call by GET. */
export const reconcileByUrl = keyed({
  ...shared,
  method: "GET",
  schema: { querystring: FIELDS, response: Type.Unknown() },
  read: ({ query }) => read(query),
});
