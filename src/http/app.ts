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
import { limiterSubject } from "../lib/minuteLimiter.ts";
import type { RecordedCall } from "../metering/recordedCalls.ts";
import { addAccountRoutes } from "./account/register.ts";
import { breachOf, brokenRequestAnswerer, handleOddRequests } from "./brokenRequests.ts";
import { BrowserCalls } from "./browserCalls.ts";
import type { Call } from "./call.ts";
import { Calls } from "./calls.ts";
import { parseTraceParent } from "./callTrace.ts";
import { clientAddressOf } from "./clientAddress.ts";
import { addPendingResponse, boundConnections, removePendingResponse, stateOf } from "./connections.ts";
import { asApiError, isOurs } from "./errors.ts";
import { COMMON, CROSS_ORIGIN, PREFLIGHTS } from "./headers.ts";
import { refuseCompressedBodies } from "./input/read.ts";
import { LIMITS } from "./limits.ts";
import { addMcp } from "./mcp/route.ts";
import { writerOf } from "./namedSchemas.ts";
import { addPages } from "./pages.ts";
import type { Answered, AppParts } from "./parts.ts";
import { addProbes } from "./probes.ts";
import { addRoutes } from "./routes.ts";
import { sendError } from "./sending.ts";
import { cutSlowBodies } from "./slowBodies.ts";

/** Builds the service: every endpoint, the API document, the account page and the docs page. It does not listen yet. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const newRequestId = requestIds();
  const answerBroken = brokenRequestAnswerer({
    newRequestId,
    count: (address) => void parts.limiter.refuse(limiterSubject(address)),
  });
  const app = fastify({
    ...LIMITS,
    routerOptions: { ...LIMITS.routerOptions, querystringParser: () => ({}) },
    genReqId: newRequestId,
    trustProxy: parts.trustProxy.length === 0 ? false : [...parts.trustProxy],
    clientErrorHandler: answerBroken,
    // For a path that cannot be decoded no hook runs, so their work is done here.
    frameworkErrors: (error, request, reply) => {
      if (!begin(request, reply)) return;
      reply.raw.once("finish", () => parts.onAnswered(answered(request, reply)));
      reply.headers({ "x-request-id": request.id, ...COMMON, ...CROSS_ORIGIN });
      // Not awaited by Fastify: a rejection would end the process.
      onError(error, request, reply).catch((failure: unknown) => {
        parts.onError(failure, request.id, routeOf(request));
        reply.raw.destroy();
      });
    },
  });
  handleOddRequests(app.server, answerBroken);
  boundConnections(app.server, parts);
  cutSlowBodies(app.server, answerBroken, parts.bodyTimes);
  const { account, services, version, tickets, publicUrl } = parts;
  const proxies = parts.trustProxy.join(",");
  const calls = new Calls({
    ...parts,
    browsers: new BrowserCalls(parts),
    onError: (error, request) => parts.onError(error, request.id, routeOf(request)),
  });

  /**
   * Prepares a request before anything else, because its caller may disconnect at any moment.
   * @returns false when the request must not begin, because an earlier response ends its connection
   */
  function begin(request: FastifyRequest, reply: FastifyReply): boolean {
    const memory = stateOf(request.raw.socket);
    if (!addPendingResponse(memory, reply.raw)) return false;
    memory.request = request;
    request.clientAddress = clientAddressOf(request.raw, proxies);
    const parent = parseTraceParent(request.headers.traceparent);
    const { id: requestId, method } = request;
    const trace = parts.tracer?.begin({ method, route: routeOf(request), requestId, parent });
    request.trace = trace;
    request.traceId = trace?.traceId ?? parent?.traceId;
    reply.raw.on("close", () => {
      removePendingResponse(memory, reply.raw);
      const isSent = reply.raw.writableFinished;
      if (!isSent) {
        const { status: _notSent, ...aborted } = answered(request, reply);
        parts.onAborted(aborted);
      }
      trace?.end({
        status: isSent ? reply.statusCode : undefined,
        operation: request.call?.operation,
      });
    });
    return true;
  }

  /** Sends an error from outside the path of calls, and reports it if it is the service's fault. */
  async function onError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The caller disconnected before the first byte of a body was sent. `onAborted` logs that.
    const isAbort = error.code === "ERR_STREAM_PREMATURE_CLOSE" && reply.raw.destroyed;
    if (isOurs(error) && !isAbort) parts.onError(error, request.id, routeOf(request));
    // A path that cannot be decoded has no route either, but its error describes the path.
    const isNowhere = request.is404 && error.code !== "FST_ERR_BAD_URL";
    const shown = isNowhere ? routeNotFound(request) : asApiError(error, request.routeOptions.bodyLimit);
    if (isKeyless(request)) return void sendError(reply, shown);
    try {
      // A request that could not be routed has no call property yet and no key was looked up.
      request.call ??= null;
      if (request.call === null) await calls.identify(request, "other");
    } catch (away) {
      return void sendError(reply, asApiError(away));
    }
    return calls.sendFailure(shown, request, reply);
  }

  app.setErrorHandler(onError);
  acceptEverything(app);
  app.addHook("onRequest", (request, reply, done) => {
    if (!begin(request, reply)) return;
    const breach = breachOf(request.raw);
    if (breach === undefined) done();
    else if (isKeyless(request)) sendError(reply, calls.keylessRefusal(request, breach));
    else done(breach);
  });
  // After the body is read: reading it would lose the asynchronous context.
  if (parts.tracer !== undefined) {
    app.addHook("preHandler", ({ trace }, _reply, done) =>
      trace === undefined ? done() : trace.within(done),
    );
  }
  refuseCompressedBodies(app);
  app.addHook("onSend", (request, reply, payload, done) => {
    reply.header("x-request-id", request.id).headers(COMMON);
    if (request.routeOptions.config.isCrossOrigin !== false) reply.headers(CROSS_ORIGIN);
    done(null, payload);
  });
  // In its own scope, so that its hooks do not run for calls.
  await app.register(async (scope) => scope.register(fastifyCors, PREFLIGHTS));
  app.addHook("onResponse", (request, reply, done) => {
    const response = answered(request, reply);
    parts.onAnswered(response);
    // Absent for a request that could not be routed.
    const call = request.call ?? undefined;
    if (call !== undefined) parts.onCall(response.accountId, recorded(call, response, parts.now()));
    done();
  });

  const tooMany = (request: FastifyRequest) => calls.tooManyKeyless(request);
  addRoutes(app, { calls, services, publicUrl, version });
  addMcp(app, { calls, version, services });
  addProbes(app, parts.readiness);
  await addAccountRoutes(app, { account, services, tickets, publicUrl, tooMany });
  await addPages(app, parts, tooMany);
  app.setNotFoundHandler(async (request, reply) => {
    await calls.identify(request, "other");
    return calls.sendFailure(routeNotFound(request), request, reply);
  });
  return app;
}

/** Lets every request reach the path of calls, which reports errors in the contract's form. */
function acceptEverything(app: FastifyInstance): void {
  app.decorateRequest("clientAddress", undefined);
  app.decorateRequest("trace", undefined);
  app.decorateRequest("traceId", undefined);
  app.decorateRequest("call", null);
  app.decorateRequest("visitor", null);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(({ schema }) => writerOf(schema));
  // Endpoints parse bodies themselves, after the key is checked.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // Importing node:http would also load `fetch`, a twentieth of a start.
  for (const method of process.getBuiltinModule("node:http").METHODS) {
    if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

function routeNotFound({ raw: { url = "" } }: FastifyRequest): ApiError {
  const advice = /\/(?:\?|$)/.test(url) ? "leave out the slash at the end of the path, or " : "";
  return new ApiError("ROUTE_NOT_FOUND", `no such endpoint; ${advice}see /docs for the list of endpoints`);
}

function isKeyless(request: FastifyRequest): boolean {
  return request.routeOptions?.config?.isKeyless === true;
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions?.url ?? "-";
}

function answered(request: FastifyRequest, reply: FastifyReply): Answered {
  const { call, traceId } = request;
  return {
    requestId: request.id,
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 1_000) / 1_000,
    operation: call?.operation,
    accountId: call?.balance?.accountId,
    isTest: call?.isTest,
    traceId,
  };
}

function recorded(
  { keyId, operation, code, tokens = 0 }: Call,
  { requestId, status, isTest, durationMs }: Answered,
  atMs: number,
): RecordedCall {
  const durationUs = Math.round(durationMs * 1_000);
  return { atMs, requestId, keyId, operation, status, code, tokens, durationUs, ...(isTest && { isTest }) };
}

/** Returns a generator of request ids: a random part per start and a counter. */
function requestIds(): () => string {
  const start = base62(8, randomBytes);
  let count = 0;
  return () => `${start}-${++count}`;
}
