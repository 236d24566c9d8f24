import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import { apiDocument } from "./apiDocument.ts";
import type { Calls, Served } from "./calls.ts";
import { matchesTag } from "./conditional.ts";
import type { Endpoint, KeyedEndpoint, OpenEndpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { unauthorized } from "./errors.ts";
import { compressFile, READ, type Send, sendFile } from "./files.ts";
import { JSON_TYPE } from "./headers.ts";
import { acceptStream, inputReader, keyInQuery, readRawQuery } from "./input/read.ts";
import { API_VALUES } from "./input/schemaReader.ts";
import { writerOf } from "./namedSchemas.ts";
import { refuseOtherMethods } from "./otherMethods.ts";
import { reachedUrl } from "./ownUrl.ts";
import type { AppParts } from "./parts.ts";
import { send, sendError } from "./sending.ts";

const OPENAPI_PATH = "/v1/openapi.json";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Free and without a key; a presented key is ignored. */
    isKeyless?: boolean;
    /** `false` when pages of other origins must not read the responses. */
    isCrossOrigin?: false;
  }
}

type RouteParts = Pick<AppParts, "services" | "publicUrl" | "version"> & { readonly calls: Calls };

/** Adds every endpoint and the API document. Other methods on their paths get METHOD_NOT_ALLOWED. */
export function addRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { calls, services, publicUrl, version } = parts;
  for (const endpoint of ENDPOINTS) {
    if (endpoint.auth === "key" && endpoint.uploads !== undefined) addUploading(app, endpoint, calls);
    else if (endpoint.auth === "key") addKeyed(app, endpoint, calls);
    else addOpen(app, endpoint, parts);
  }
  const facts = { url: publicUrl, version, tiers: services.tiers };
  const prepare = async () => {
    const content = Buffer.from(JSON.stringify(await apiDocument(ENDPOINTS, facts)));
    return sendFile({ path: OPENAPI_PATH, content, packed: await compressFile(content) });
  };
  let sending: Promise<Send> | undefined;
  app.route({
    method: READ,
    url: OPENAPI_PATH,
    config: { isKeyless: true },
    handler: async (request, reply) => {
      const refusal = calls.tooManyKeyless(request);
      if (refusal !== undefined) return sendError(reply, refusal);
      // After a failure the next request tries again.
      sending ??= prepare().catch((error: unknown) => {
        sending = undefined;
        throw error;
      });
      return (await sending)(request, reply);
    },
  });
  refuseOtherMethods(app, [...ENDPOINTS, { path: OPENAPI_PATH, method: "GET" }], refusing(calls));
}

/** Answers a refused method as a failed call: it counts towards the key's rate, or the client's address. */
export function refusing(calls: Calls) {
  return {
    refuse: async (error: ApiError, request: FastifyRequest, reply: FastifyReply) => {
      await calls.identify(request, "other");
      await calls.sendFailure(error, request, reply);
    },
  };
}

/** Adds an endpoint that reads its body as a stream, after its call was allowed. */
function addUploading(app: FastifyInstance, endpoint: KeyedEndpoint, calls: Calls): void {
  app.register(async (scope) => addKeyed(acceptStream(scope), endpoint, calls));
}

function writerFor({ specification, schema, write }: Endpoint): (body: object) => string {
  return write ?? (specification === undefined ? writerOf(schema.response) : JSON.stringify);
}

function servedBy(endpoint: KeyedEndpoint): Served {
  return {
    endpoint,
    readInput: inputReader(endpoint.schema, endpoint, API_VALUES),
    serialize: writerFor(endpoint),
    isConditional: endpoint.isConditional === true,
    headers: endpoint.headers,
  };
}

function addKeyed(app: FastifyInstance, endpoint: KeyedEndpoint, calls: Calls): void {
  const served = servedBy(endpoint);
  app.route({
    method: endpoint.method === "GET" ? READ : endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
    ...(endpoint.uploads !== undefined && { bodyLimit: Number.MAX_SAFE_INTEGER }),
    // Before the body is read, so that callers without a key cannot make the service read one.
    onRequest: async (request, reply) => {
      await calls.identify(request, endpoint.operation);
      if (request.call === null) sendError(reply, calls.keylessRefusal(request, unauthorized()));
    },
    handler: async (request, reply) => {
      await send(reply, await calls.answer(served, request));
      return reply;
    },
  });
}

function addOpen(app: FastifyInstance, endpoint: OpenEndpoint, parts: RouteParts): void {
  const { calls, services, publicUrl } = parts;
  const readInput = inputReader(endpoint.schema);
  const write = writerFor(endpoint);
  const { keyed, cacheSeconds } = endpoint;
  const served = keyed === undefined ? undefined : servedBy(keyed);
  const keyedParameters = Object.keys(keyed?.schema.querystring?.properties ?? {});
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { isKeyless: true },
    handler: async (request, reply) => {
      const rawQuery = readRawQuery(request.raw.url ?? "");
      if (served !== undefined && rawQuery.pairs.some(([name]) => keyedParameters.includes(name))) {
        await calls.identify(request, served.endpoint.operation);
        await send(reply, await calls.answer(served, request));
        return reply;
      }
      const refusal = calls.tooManyKeyless(request);
      if (refusal !== undefined) return sendError(reply, refusal);
      const { query } = readInput(request, rawQuery);
      const { status, body } = await endpoint.handler(services, {
        query,
        key: keyInQuery(rawQuery),
        get serviceUrl() {
          return publicUrl ?? reachedUrl(request);
        },
      });
      const text = write(body);
      if (cacheSeconds === undefined) {
        return reply
          .code(status)
          .headers({ "cache-control": "no-store", "content-type": JSON_TYPE })
          .send(text);
      }
      const etag = `"${hash("sha256", text, "base64url")}"`;
      reply.headers({ "cache-control": `public, max-age=${cacheSeconds}`, etag });
      if (matchesTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.code(status).header("content-type", JSON_TYPE).send(text);
    },
  });
}
