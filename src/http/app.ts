import { randomBytes } from "node:crypto";
import fastifyCors from "@fastify/cors";
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { ApiError } from "../contract/errors.ts";
import { base62 } from "../contract/keyForm.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import { addPage } from "./account/page.ts";
import { addAccountRoutes } from "./account/register.ts";
import type { AccountServices } from "./account/route.ts";
import { apiDocument, NAMED_SCHEMAS } from "./apiDocument.ts";
import { Calls } from "./calls.ts";
import { addDocsPage } from "./docsPage.ts";
import type { Endpoint, KeyedEndpoint, OpenEndpoint, Services } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { sendError, unauthorized } from "./errorAnswers.ts";
import { asApiError, isOurs } from "./failures.ts";
import { EXPOSED_HEADERS } from "./headers.ts";
import { inputReader } from "./input/read.ts";
import { limitedAs } from "./limitedAs.ts";
import { brokenRequestAnswerer, LIMITS } from "./limits.ts";
import type { MinuteLimiter } from "./minuteLimiter.ts";
import { Tickets } from "./tickets.ts";

/** One answered call, for the log. Nothing of what the caller sent: no key, no path, no query. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, `-` for no route. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation: string | undefined;
  readonly accountId: string | undefined;
}

export interface AppParts {
  readonly services: Services;
  readonly account: AccountServices;
  /** The folder of the built account page; it may be absent. */
  readonly pageFolder: string;
  readonly meter: Meter;
  readonly keyring: Keyring;
  readonly limiter: MinuteLimiter;
  readonly trustProxy: readonly string[];
  readonly publicUrl: string | undefined;
  readonly version: string;
  readonly onAnswered: (answered: Answered) => void;
  /** The caller hung up before its answer had left; the call goes on and is charged all the same. */
  readonly onAborted: (aborted: Omit<Answered, "status">) => void;
  readonly onError: (error: unknown, requestId: string, route: string) => void;
}

/** The service as a value: every endpoint, the API document and the docs page. It listens when it is told to. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const newRequestId = requestIds();
  /** Connections that brought a whole request: what they are reset with later may be nothing more than their end. */
  const haveAsked = new WeakSet<object>();
  const app = fastify({
    ...LIMITS,
    genReqId: newRequestId,
    trustProxy: parts.trustProxy.length === 0 ? false : [...parts.trustProxy],
    clientErrorHandler: brokenRequestAnswerer({
      newRequestId,
      hadRequest: (socket) => haveAsked.has(socket),
      count: (address) => void parts.limiter.refuse(limitedAs(address)),
    }),
    // A path that cannot be decoded: no hook runs for it, so what they do is done here.
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      reply.raw.once("finish", () => parts.onAnswered(answered(request, reply)));
      reply.header("access-control-allow-origin", "*");
      reply.header("access-control-expose-headers", EXPOSED_HEADERS.join(", "));
      // Nobody waits for this: a rejection would end the process.
      onError(error, request, reply).catch((failure: unknown) => {
        parts.onError(failure, request.id, routeOf(request));
        request.raw.destroy();
      });
    },
  });
  const tickets = new Tickets();
  const calls = new Calls({
    meter: parts.meter,
    keyring: parts.keyring,
    limiter: parts.limiter,
    services: parts.services,
    tickets,
    onError: (error, request) => parts.onError(error, request.id, routeOf(request)),
  });

  /** What every request needs at once: its caller may be gone at any moment. */
  function begin(request: FastifyRequest, reply: FastifyReply): void {
    haveAsked.add(request.raw.socket);
    request.limitedAs = limitedAs(request.ip);
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    reply.raw.once("close", () => {
      if (!reply.raw.writableFinished) parts.onAborted(called(request, reply));
    });
  }

  async function onError(
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (isOurs(error)) parts.onError(error, request.id, routeOf(request));
    // A path that cannot be decoded has no route either, but it is the path that is wrong.
    const isNowhere = request.is404 && error.code !== "FST_ERR_BAD_URL";
    const told = isNowhere ? routeNotFound() : asApiError(error);
    if (isKeyless(request)) return sendError(reply, told);
    try {
      // A request that could not even be routed has not been looked at before, nor given its place for a call.
      request.call ??= null;
      if (request.call === null) await calls.identify(request, "other");
    } catch (away) {
      return sendError(reply, asApiError(away));
    }
    return calls.answerError(told, request, reply);
  }

  app.decorateRequest("limitedAs", "");
  app.decorateRequest("call", null);
  app.decorateRequest("visitor", null);
  app.setErrorHandler(onError);
  app.setValidatorCompiler(() => () => true);
  // Bodies are read as they are: what they must be is an endpoint's business, after the key was checked.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  // Importing this module would load `fetch` with it, a twentieth of a start.
  for (const method of process.getBuiltinModule("node:http").METHODS) {
    if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  app.addHook("onRequest", (request, reply, done) => {
    begin(request, reply);
    done();
  });
  await app.register(fastifyCors, {
    origin: "*",
    methods: ["GET", "HEAD", "POST"],
    allowedHeaders: ["Authorization", "Content-Type"],
    exposedHeaders: [...EXPOSED_HEADERS],
    maxAge: 86_400,
    strictPreflight: false,
  });
  app.addHook("onResponse", (request, reply, done) => {
    parts.onAnswered(answered(request, reply));
    done();
  });

  for (const endpoint of ENDPOINTS) {
    if (endpoint.auth === "key") addKeyed(app, endpoint, calls);
    else addOpen(app, endpoint, calls, parts.services);
  }
  const document = JSON.stringify(
    await apiDocument(ENDPOINTS, {
      url: parts.publicUrl,
      version: parts.version,
      tiers: parts.services.tiers,
    }),
  );
  app.get(OPENAPI_PATH, { config: { isKeyless: true } }, (request, reply) => {
    const refusal = calls.tooManyKeyless(request);
    if (refusal !== undefined) return sendError(reply, refusal);
    return reply.header("content-type", "application/json; charset=utf-8").send(document);
  });
  await addDocsPage(app, OPENAPI_PATH, (request) => calls.tooManyKeyless(request));
  const tooMany = (request: FastifyRequest) => calls.tooManyKeyless(request);
  const { account, services, publicUrl } = parts;
  await addAccountRoutes(app, { account, services, tickets, publicUrl, tooMany });
  await addPage(app, parts.pageFolder, tooMany);
  for (const [path, allowed] of methodsByPath()) refuseOtherMethods(app, path, allowed, calls);
  app.setNotFoundHandler(async (request, reply) => {
    await calls.identify(request, "other");
    return calls.answerError(routeNotFound(), request, reply);
  });
  return app;
}

const OPENAPI_PATH = "/v1/openapi.json";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Free and without a key; a key that is presented all the same is not looked at. */
    isKeyless?: boolean;
  }
}

function addKeyed(app: FastifyInstance, endpoint: KeyedEndpoint, calls: Calls): void {
  const served = { endpoint, readInput: inputReader(endpoint.schema) };
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: { response: { 200: endpoint.schema.response } },
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
      else asked.then(goOn, done);
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

function refuseOtherMethods(
  app: FastifyInstance,
  path: string,
  allowed: readonly string[],
  calls: Calls,
): void {
  const allow = allowed.join(", ");
  const refused = app.supportedMethods.filter((method) => !allowed.includes(method) && method !== "OPTIONS");
  const error = () =>
    new ApiError("METHOD_NOT_ALLOWED", `this path serves ${allow}; see the Allow header`, { allow });
  app.route({
    method: refused,
    url: path,
    onRequest: async (request, reply) => {
      await calls.identify(request, "other");
      return calls.answerError(error(), request, reply);
    },
    handler: (_request, reply) => sendError(reply, error()),
  });
}

function routeNotFound(): ApiError {
  return new ApiError("ROUTE_NOT_FOUND", "there is no such path; /docs lists the paths");
}

function isKeyless(request: FastifyRequest): boolean {
  return request.routeOptions?.config?.isKeyless === true;
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions?.url ?? "-";
}

function answered(request: FastifyRequest, reply: FastifyReply): Answered {
  return { ...called(request, reply), status: reply.statusCode };
}

function called(request: FastifyRequest, reply: FastifyReply): Omit<Answered, "status"> {
  const { call } = request;
  return {
    requestId: request.id,
    method: request.method,
    route: routeOf(request),
    durationMs: Math.round(reply.elapsedTime * 1_000) / 1_000,
    operation: call?.operation,
    accountId: call?.accountId,
  };
}

/** Unique over starts and cheap: a random part per start and a counter. */
function requestIds(): () => string {
  const start = base62(8, randomBytes);
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}
