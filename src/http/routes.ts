import type { FastifyInstance } from "fastify";
import { apiDocument } from "./apiDocument.ts";
import type { Calls } from "./calls.ts";
import type { Endpoint, KeyedEndpoint, OpenEndpoint, Services } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { sendError, unauthorized } from "./errorAnswers.ts";
import { pack, type Send, sendFile } from "./files.ts";
import { inputReader } from "./input/read.ts";
import { refuseOtherMethods } from "./otherMethods.ts";

const OPENAPI_PATH = "/v1/openapi.json";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Free and without a key; a key that is presented all the same is not looked at. */
    isKeyless?: boolean;
    /** `false` where no page of another origin may read the answers. */
    isCrossOrigin?: false;
  }
}

interface RouteParts {
  readonly calls: Calls;
  readonly services: Services;
  readonly publicUrl: string | undefined;
  readonly version: string;
}

/** Every endpoint and the API document; another method on one of their paths is told which ones it serves. */
export function addRoutes(app: FastifyInstance, { calls, services, publicUrl, version }: RouteParts): void {
  for (const endpoint of ENDPOINTS) {
    if (endpoint.auth === "key" && endpoint.uploads !== undefined) addUploading(app, endpoint, calls);
    else if (endpoint.auth === "key") addKeyed(app, endpoint, calls);
    else addOpen(app, endpoint, calls, services);
  }
  const facts = { url: publicUrl, version, tiers: services.tiers };
  const prepare = async () => {
    const content = Buffer.from(JSON.stringify(await apiDocument(ENDPOINTS, facts)));
    return sendFile({ path: OPENAPI_PATH, content, packed: await pack(content) });
  };
  let sending: Promise<Send> | undefined;
  app.get(OPENAPI_PATH, { config: { isKeyless: true } }, async (request, reply) => {
    const refusal = calls.tooManyKeyless(request);
    if (refusal !== undefined) return sendError(reply, refusal);
    // What cannot be read now may be the next time.
    sending ??= prepare().catch((error: unknown) => {
      sending = undefined;
      throw error;
    });
    return (await sending)(request, reply);
  });
  for (const [path, allowed] of methodsByPath()) refuseOtherMethods(app, path, allowed, calls);
}

/** In a room of its own, where bodies are handed on as they come: their endpoint reads them, once its call was let in. */
function addUploading(app: FastifyInstance, endpoint: KeyedEndpoint, calls: Calls): void {
  app.register(async (room) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    addKeyed(room, endpoint, calls);
  });
}

function addKeyed(app: FastifyInstance, endpoint: KeyedEndpoint, calls: Calls): void {
  const served = { endpoint, readInput: inputReader(endpoint.schema, endpoint.uploads) };
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: {
      response: { [endpoint.delivers?.status === undefined ? 200 : "2xx"]: endpoint.schema.response },
    },
    ...(endpoint.uploads !== undefined && { bodyLimit: Number.MAX_SAFE_INTEGER }),
    // Before the body is read: what a caller without a key sends is not worth reading.
    onRequest: (request, reply, done) => {
      const goOn = () => {
        if (request.call !== null) return done();
        // Nobody waits for this where the store was asked: what it throws must end in `done` too.
        try {
          calls.refuseKeyless(request, reply, unauthorized());
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const asked = calls.identify(request, endpoint.operation);
      if (asked === undefined) goOn();
      // What `done` itself throws has nobody left to tell the caller: the operator is told, and the connection ends.
      else asked.then(goOn, done).catch((error: unknown) => calls.abandon(error, request, reply));
    },
    handler: (request, reply) => calls.answer(served, request, reply),
  });
}

function addOpen(app: FastifyInstance, endpoint: OpenEndpoint, calls: Calls, services: Services): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: { response: { "2xx": endpoint.schema.response, 503: endpoint.schema.response } },
    config: { isKeyless: true },
    handler: async (request, reply) => {
      const refusal = calls.tooManyKeyless(request);
      if (refusal !== undefined) return sendError(reply, refusal);
      const { status, body } = await endpoint.handler(services);
      return reply.code(status).header("cache-control", "no-store").send(body);
    },
  });
}

/** The methods that each path serves, OPTIONS left out: it is answered for every path. */
function methodsByPath(): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>([[OPENAPI_PATH, ["GET", "HEAD"]]]);
  for (const { path, method } of ENDPOINTS as readonly Endpoint[]) {
    const more = method === "GET" ? ["GET", "HEAD"] : [method];
    methods.set(path, [...(methods.get(path) ?? []), ...more]);
  }
  return methods;
}
