import fastifySwagger from "@fastify/swagger";
import fastify, { type FastifySchema } from "fastify";
import { type TObject, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { ERROR_CODES, ERRORS } from "../src/contract/errors.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { NAMED_SCHEMAS } from "../src/http/namedSchemas.ts";
import { HEADER_COMPONENTS, headerParameters, isConditional, responseHeaders } from "./apiHeaders.ts";
import { priceOf } from "./prices.ts";

/**
 * Returns the OpenAPI 3.1 document of these endpoints, without those that another specification describes. Facts of the
 * running service are left empty.
 */
export async function describeApi(endpoints: readonly Endpoint[]): Promise<object> {
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  await app.register(fastifySwagger, OPTIONS);
  const own = endpoints.filter(({ specification }) => specification === undefined);
  for (const endpoint of own) {
    // Only described here: this app never listens.
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: described(endpoint),
      handler: () => {},
    });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return withHeaders(document, own);
}

/** Adds response headers as references; the plugin would repeat each header in each response. */
function withHeaders(document: object, endpoints: readonly Endpoint[]): object {
  const { paths, components } = Value.Parse(Document, document);
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    const responses = paths[path]?.[endpoint.method.toLowerCase()]?.responses ?? {};
    for (const [status, response] of Object.entries(responses)) {
      response["headers"] = responseHeaders(endpoint, Number(status));
    }
  }
  return { ...document, paths, components: { ...components, headers: HEADER_COMPONENTS } };
}

const Document = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({ responses: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())) }),
    ),
  ),
  components: Type.Object({}),
});

const OPTIONS = {
  openapi: {
    openapi: "3.1.0",
    info: {
      title: "Opzoek",
      version: "",
      description: "",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [],
    tags: [
      { name: "Companies", description: "One company, many companies, or the branches of one." },
      { name: "Finding", description: "Find companies by name and other criteria." },
      { name: "Lists", description: "Process lists of many numbers in the background." },
      { name: "Monitors", description: "Learn when companies change." },
      { name: "VAT", description: "Check VAT numbers with the EU's VIES." },
      { name: "Account", description: "Usage and tokens." },
      { name: "Service", description: "The service itself." },
    ],
    components: {
      securitySchemes: {
        bearer: { type: "http" as const, scheme: "bearer", description: "`Authorization: Bearer <key>`" },
        query: {
          type: "apiKey" as const,
          in: "query" as const,
          name: "apikey",
          description: "`?apikey=<key>`",
        },
      },
    },
  },
  refResolver: {
    buildLocalReference: (schema: { $id?: unknown }, _base: unknown, _fragment: unknown, index: number) =>
      typeof schema.$id === "string" ? schema.$id : `schema-${index}`,
  },
};

/** Returns the description of an endpoint. */
function described(endpoint: Endpoint): FastifySchema {
  const { schema, summary, description, tag, uploads, uploadExample } = endpoint;
  const headers = headerParameters(endpoint);
  return {
    operationId: operationId(endpoint),
    summary,
    description,
    tags: [tag],
    security: endpoint.auth === "key" ? [{ bearer: [] }, { query: [] }] : [],
    ...(schema.params === undefined ? {} : { params: schema.params }),
    ...(schema.querystring === undefined ? {} : { querystring: withoutDefaultsRequired(schema.querystring) }),
    ...{ "x-price": priceOf(endpoint) },
    ...(headers === undefined ? {} : { headers }),
    ...(schema.body === undefined ? {} : { body: withoutDefaultsRequired(schema.body) }),
    ...(uploads === undefined ? {} : { body: uploadBody(uploads, uploadExample) }),
    response: {
      ...delivered(endpoint),
      ...(isConditional(endpoint) && { 304: NOT_MODIFIED }),
      ...(endpoint.path === "/v1/health" && {
        503: { description: "Down.", content: down(schema.response) },
      }),
      ...errorResponses(endpoint),
    },
  };
}

/** The schema's own examples show a healthy service. */
const down = (schema: TSchema) => ({
  "application/json": {
    schema,
    example: {
      status: "down",
      services: { kvk: "down", vies: "up" },
      timestamp: "2026-11-21T12:00:00.000Z",
    },
  },
});

const NOT_MODIFIED = { type: "null", description: "Not modified: `If-None-Match` matches the response." };

/** Returns the successful responses of an endpoint. */
function delivered({ schema, delivers = {} }: Endpoint) {
  const { status, types } = delivers;
  const content = Object.fromEntries(
    (types ?? ["application/json"]).map((type) => [type, { schema: schema.response }]),
  );
  const part = { description: "The requested `Range`.", content };
  const done = { 200: { description: "Done.", content }, ...(types !== undefined && { 206: part }) };
  return status === undefined ? done : { ...done, [status]: { description: "Accepted.", content } };
}

/** Returns a text body of one of these types. */
function uploadBody(types: readonly string[], example: string | undefined) {
  const schemaOf = (nth: number) => ({
    type: "string",
    ...(nth === 0 && example !== undefined && { examples: [example] }),
  });
  return { content: Object.fromEntries(types.map((type, nth) => [type, { schema: schemaOf(nth) }])) };
}

const KEYED_STATUSES: readonly number[] = [400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503];
/** For downloads that support `Range`. */
const RANGE_STATUS = ERRORS.RANGE_NOT_SATISFIABLE.status;
const OPEN_STATUSES = [429];

function errorResponses(endpoint: Endpoint) {
  const own = endpoint.errors?.map((code) => ERRORS[code].status) ?? [];
  const keyed = endpoint.delivers?.types === undefined ? KEYED_STATUSES : [...KEYED_STATUSES, RANGE_STATUS];
  const statuses = endpoint.auth === "key" ? [...keyed, ...own] : OPEN_STATUSES;
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status);
      const content = { "application/json": { schema: { $ref: "Error#" } } };
      return [status, { description: codes.join(", "), content }];
    }),
  );
}

/** Returns an id such as `get-v1-lookup-kvkNumber-branches`, from which generated clients derive method names. */
function operationId({ method, path }: Endpoint): string {
  return `${method.toLowerCase()}${path.replaceAll(":", "").replaceAll("/", "-")}`;
}

/** Makes fields with a default optional in the document. */
function withoutDefaultsRequired(schema: TObject): TSchema {
  const required = (schema.required ?? []).filter((name) => {
    const property: unknown = schema.properties[name];
    return !(typeof property === "object" && property !== null && "default" in property);
  });
  const { required: _all, ...rest } = schema;
  return required.length === 0 ? rest : { ...rest, required };
}
