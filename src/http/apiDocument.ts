import fastifySwagger from "@fastify/swagger";
import fastify, { type FastifySchema } from "fastify";
import type { TObject, TSchema } from "typebox";
import { Type } from "typebox";
import { ERROR_CODES, ERRORS, type ErrorCode } from "../contract/errors.ts";
import { OPERATIONS, PRICES } from "../contract/prices.ts";
import { RESOURCES } from "../contract/resources.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Endpoint } from "./endpoint.ts";

export const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Unsafe<ErrorCode>({
          type: "string",
          enum: [...ERROR_CODES],
          description: "What went wrong, for programs.",
          examples: ["NOT_FOUND"],
        }),
        message: Type.String({
          description: "What went wrong and what to do, for people.",
          examples: ["no company with KVK number 00000001 is known here"],
        }),
      },
      { description: "The error." },
    ),
  },
  { $id: "Error", title: "Error", description: "Every answer that is no success has this form." },
);

/** The schemas that the document holds by name. */
export const NAMED_SCHEMAS: readonly TSchema[] = [...RESOURCES, ErrorSchema];

export interface ApiFacts {
  /** Where people reach the service. */
  readonly url?: string | undefined;
  readonly version: string;
  readonly tiers: TierTable;
}

/** The OpenAPI 3.1 document of these endpoints. */
export async function apiDocument(endpoints: readonly Endpoint[], facts: ApiFacts): Promise<object> {
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  await app.register(fastifySwagger, documentOptions(facts));
  for (const endpoint of endpoints) {
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
  return document;
}

function documentOptions({ url, version, tiers }: ApiFacts) {
  return {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Opzoek",
        version,
        description: introduction(tiers),
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: url ?? "/" }],
      tags: [
        { name: "Companies", description: "One company, many, or the branches of one." },
        { name: "Finding", description: "Companies by what a person types." },
        { name: "VAT", description: "VAT numbers and what the EU's VIES says of them." },
        { name: "Account", description: "What was used." },
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
}

/** What a reader should know before the first call; prices and tiers come from the tables that calls are held to. */
function introduction(tiers: TierTable): string {
  return [
    "The Dutch company registry over HTTP. Every path starts with `/v1`; every call but health needs an API key and costs tokens from a monthly allowance. Only what is delivered is charged: errors cost nothing.",
    "## Prices",
    OPERATIONS.map((operation) => `- ${operation}: ${PRICES[operation]}`).join("\n"),
    "Tokens a call; a batch costs its price for each company delivered.",
    "## Tiers",
    Object.entries(tiers)
      .map(([name, { monthlyTokens, ratePerMinute }]) => {
        return `- ${name}: ${monthlyTokens.toLocaleString("en")} tokens a month, ${ratePerMinute.toLocaleString("en")} calls a minute`;
      })
      .join("\n"),
    "The allowance belongs to the account and is replaced on the 1st of the month, 00:00 UTC; the rate counts for each key by the clock minute.",
    "## Errors",
    'Errors always have the form `{"error": {"code", "message"}}`.',
    ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].when}`).join("\n"),
  ].join("\n\n");
}

/** What the document says of an endpoint. */
function described(endpoint: Endpoint): FastifySchema {
  const { schema, summary, description, tag } = endpoint;
  return {
    operationId: operationId(endpoint),
    summary,
    description,
    tags: [tag],
    security: endpoint.auth === "key" ? [{ bearer: [] }, { query: [] }] : [],
    ...(schema.params === undefined ? {} : { params: schema.params }),
    ...(schema.querystring === undefined ? {} : { querystring: withoutDefaultsRequired(schema.querystring) }),
    ...(schema.body === undefined ? {} : { body: schema.body }),
    response: {
      200: { description: "Done.", content: { "application/json": { schema: schema.response } } },
      ...(endpoint.auth === "none"
        ? { 503: { description: "Down.", content: { "application/json": { schema: schema.response } } } }
        : {}),
      ...errorResponses(endpoint),
    },
  };
}

const KEYED_STATUSES = [400, 401, 403, 404, 413, 415, 429, 500, 502, 503];
const OPEN_STATUSES = [429];

function errorResponses(endpoint: Endpoint) {
  const statuses = endpoint.auth === "key" ? KEYED_STATUSES : OPEN_STATUSES;
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status);
      const content = { "application/json": { schema: { $ref: "Error#" } } };
      return [status, { description: codes.join(", "), content }];
    }),
  );
}

/** `get-v1-lookup-kvkNumber-branches`: what generated clients name their methods after. */
function operationId({ method, path }: Endpoint): string {
  return `${method.toLowerCase()}${path.replaceAll(":", "").replaceAll("/", "-")}`;
}

/** A parameter with a default need not be sent, though a handler always gets it. */
function withoutDefaultsRequired(schema: TObject): TSchema {
  const required = (schema.required ?? []).filter((name) => {
    const property: unknown = schema.properties[name];
    return !(typeof property === "object" && property !== null && "default" in property);
  });
  const { required: _all, ...rest } = schema;
  return required.length === 0 ? rest : { ...rest, required };
}
