import { randomBytes } from "node:crypto";
import fastifyCors from "@fastify/cors";
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { BrowserTokens } from "../accounts/browserTokens.ts";
import { ApiError } from "../contract/errors.ts";
import { base62 } from "../contract/keyForm.ts";
import type { BrowserSightings } from "../metering/browserSightings.ts";
import type { RecordedCall } from "../metering/callStore.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import { addAccountRoutes } from "./account/register.ts";
import type { AccountServices } from "./account/route.ts";
import { breachOf, brokenRequestAnswerer, takeOddRequests } from "./brokenRequests.ts";
import { BrowserCalls } from "./browserCalls.ts";
import type { Call, CallTracer } from "./call.ts";
import { parseTraceParent } from "./call.ts";
import { Calls } from "./calls.ts";
import type { EntityTags } from "./conditional.ts";
import { boundConnections, memoryOf, noteLeft, noteOwed, type UnreadTimes } from "./connections.ts";
import type { SandboxServices, Services } from "./endpoint.ts";
import { asApiError, isOurs } from "./errors.ts";
import { COMMON, CROSS_ORIGIN, PREFLIGHTS } from "./headers.ts";
import { refuseCompressedBodies } from "./input/read.ts";
import { LIMITS } from "./limits.ts";
import { addMcp } from "./mcp/route.ts";
import { limiterSubject, type MinuteLimiter } from "./minuteLimiter.ts";
import { writerOf } from "./namedSchemas.ts";
import { addPages } from "./pages.ts";
import { addProbes, type Readiness } from "./probes.ts";
import { addRoutes } from "./routes.ts";
import { sendError } from "./sending.ts";
import type { Tickets } from "./tickets.ts";

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
  /** True for a call with a test key. */
  readonly isTest: true | undefined;
  /** Of the trace that it is part of, 32 hexadecimal digits; undefined where there is none. */
  readonly traceId: string | undefined;
}

export interface AppParts {
  readonly services: Services;
  /** Answers calls with test keys. */
  readonly sandbox: SandboxServices;
  readonly account: AccountServices;
  /** The folder of the built account and docs pages; it may be absent. */
  readonly pageFolder: string;
  readonly tickets: Tickets;
  /** Makes the entity tags of responses. */
  readonly tags: EntityTags;
  readonly meter: Meter;
  readonly keyring: Keyring;
  readonly limiter: MinuteLimiter;
  /** Of clients that call with what anybody can copy. */
  readonly browserLimiter: MinuteLimiter;
  readonly tokens: BrowserTokens;
  readonly sightings: BrowserSightings;
  readonly trustProxy: readonly string[];
  /** When connections whose answers are not read are cut; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
  readonly publicUrl: string | undefined;
  readonly version: string;
  /** Whether calls should be sent here. */
  readonly readiness: () => Promise<Readiness>;
  readonly onAnswered: (answered: Answered) => void;
  /** The same of a call with a good key, for its account; `accountId` is undefined where the state could not be asked whose it is. */
  readonly onCall: (accountId: string | undefined, call: RecordedCall) => void;
  readonly now: () => number;
  /** The caller hung up before its answer had left; the call goes on and is charged all the same. */
  readonly onAborted: (aborted: Omit<Answered, "status">) => void;
  readonly onError: (error: unknown, requestId: string, route: string) => void;
  /** Absent where the operator wants no traces. */
  readonly tracer?: CallTracer | undefined;
}

/** The service as a value: every endpoint, the API document and the docs page. It does not listen yet. */
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
    // A path that cannot be decoded: no hook runs for it, so what they do is done here.
    frameworkErrors: (error, request, reply) => {
      if (!begin(request, reply)) return;
      reply.raw.once("finish", () => parts.onAnswered(answered(request, reply)));
      reply.headers({ "x-request-id": request.id, ...COMMON, ...CROSS_ORIGIN });
      // Nobody waits for this: a rejection would end the process.
      onError(error, request, reply).catch((failure: unknown) => {
        parts.onError(failure, request.id, routeOf(request));
        reply.raw.destroy();
      });
    },
  });
  takeOddRequests(app.server, answerBroken);
  boundConnections(app.server, parts);
  const { account, services, version, tickets, publicUrl } = parts;
  const calls = new Calls({
    ...parts,
    browsers: new BrowserCalls({ ...parts, limiter: parts.browserLimiter }),
    onError: (error, request) => parts.onError(error, request.id, routeOf(request)),
  });

  /**
   * What every request needs at once: its caller may be gone at any moment.
   * @returns false for one that may not be begun: its connection ends with an answer before it
   */
  function begin(request: FastifyRequest, reply: FastifyReply): boolean {
    const memory = memoryOf(request.raw.socket);
    if (!noteOwed(memory, reply.raw)) return false;
    memory.request = request;
    request.clientAddress = request.ip;
    const parent = parseTraceParent(request.headers.traceparent);
    const { id: requestId, method } = request;
    const trace = parts.tracer?.begin({ method, route: routeOf(request), requestId, parent });
    request.trace = trace;
    request.traceId = trace?.traceId ?? parent?.traceId;
    reply.raw.on("close", () => {
      noteLeft(memory, reply.raw);
      const hasLeft = reply.raw.writableFinished;
      if (!hasLeft) {
        const { status: _notSent, ...aborted } = answered(request, reply);
        parts.onAborted(aborted);
      }
      trace?.end({ status: hasLeft ? reply.statusCode : undefined, operation: request.call?.operation });
    });
    return true;
  }

  const onError = errorHandler(calls, parts.onError);
  app.setErrorHandler(onError);
  takeEverything(app);
  app.addHook("onRequest", (request, reply, done) => {
    if (!begin(request, reply)) return;
    const breach = breachOf(request.raw);
    if (breach === undefined) done();
    else if (isKeyless(request)) sendError(reply, calls.keylessRefusal(request, breach));
    else done(breach);
  });
  // Once the body is read, as reading it would lose the place.
  if (parts.tracer !== undefined) app.addHook("preHandler", withinTrace);
  refuseCompressedBodies(app);
  app.addHook("onSend", (request, reply, payload, done) => {
    reply.header("x-request-id", request.id).headers(COMMON);
    if (request.routeOptions.config.isCrossOrigin !== false) reply.headers(CROSS_ORIGIN);
    done(null, payload);
  });
  // A room of its own: nothing of it is to run for a call.
  await app.register(async (room) => room.register(fastifyCors, PREFLIGHTS));
  app.addHook("onResponse", (request, reply, done) => {
    const response = answered(request, reply);
    parts.onAnswered(response);
    // Absent where a request was no HTTP that could be routed.
    const call = request.call ?? undefined;
    if (call !== undefined) parts.onCall(response.accountId, recorded(call, response, parts.now()));
    done();
  });

  const tooMany = (request: FastifyRequest) => calls.tooManyKeyless(request);
  addRoutes(app, { calls, services, publicUrl, version });
  addMcp(app, { calls, version, tiers: services.tiers });
  addProbes(app, parts.readiness);
  await addAccountRoutes(app, { account, services, tickets, publicUrl, tooMany });
  await addPages(app, parts, tooMany);
  app.setNotFoundHandler(async (request, reply) => {
    await calls.identify(request, "other");
    return calls.sendFailure(routeNotFound(), request, reply);
  });
  return app;
}

type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Answers what failed before or beside the path of calls, and tells the operator what is ours. */
function errorHandler(calls: Calls, tell: AppParts["onError"]): ErrorHandler {
  return async (error, request, reply) => {
    // The caller hung up before the first byte of a body left, which is logged by itself.
    const isAbort = error.code === "ERR_STREAM_PREMATURE_CLOSE" && reply.raw.destroyed;
    if (isOurs(error) && !isAbort) tell(error, request.id, routeOf(request));
    // A path that cannot be decoded has no route either, but it is the path that is wrong.
    const isNowhere = request.is404 && error.code !== "FST_ERR_BAD_URL";
    const shown = isNowhere ? routeNotFound() : asApiError(error);
    if (isKeyless(request)) {
      sendError(reply, shown);
      return;
    }
    try {
      // A request that could not even be routed has not been looked at before, nor given its place for a call.
      request.call ??= null;
      if (request.call === null) await calls.identify(request, "other");
    } catch (away) {
      sendError(reply, asApiError(away));
      return;
    }
    return calls.sendFailure(shown, request, reply);
  };
}

/** Lets every request reach the path of calls, which reports in our words what is wrong with it. */
function takeEverything(app: FastifyInstance): void {
  app.decorateRequest("clientAddress", undefined);
  app.decorateRequest("trace", undefined);
  app.decorateRequest("traceId", undefined);
  app.decorateRequest("call", null);
  app.decorateRequest("visitor", null);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(({ schema }) => writerOf(schema));
  // Bodies are read as they are: what they must be is an endpoint's business, after the key was checked.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // Importing this module would load `fetch` with it, a twentieth of a start.
  for (const method of process.getBuiltinModule("node:http").METHODS) {
    if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
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

function withinTrace(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.trace === undefined) done();
  else request.trace.within(done);
}

function recorded(
  { keyId, operation, code, tokens = 0 }: Call,
  { requestId, status, isTest, durationMs }: Answered,
  atMs: number,
): RecordedCall {
  const durationUs = Math.round(durationMs * 1_000);
  return { atMs, requestId, keyId, operation, status, code, tokens, durationUs, ...(isTest && { isTest }) };
}

/** Unique over starts and cheap: a random part per start and a counter. */
function requestIds(): () => string {
  const start = base62(8, randomBytes);
  let count = 0;
  return () => `${start}-${++count}`;
}
