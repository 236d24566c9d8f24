import { Readable } from "node:stream";
import fastifyCookie from "@fastify/cookie";
import fastifyHelmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Opened, SignedIn } from "../../accounts/sessions.ts";
import { ApiError } from "../../contract/errors.ts";
import { inputReader, readRawQuery } from "../input/read.ts";
import { limiterSubject } from "../minuteLimiter.ts";
import { refuseOtherMethods } from "../otherMethods.ts";
import { sendError } from "../sending.ts";
import type { AccountParts, AccountRoute, SignedInVisit } from "./route.ts";
import { ACCOUNT_ROUTES } from "./routes/all.ts";
import { SessionLimits } from "./visitLimits.ts";
import { arrivalOf, asAnswer, checkOrigin, type Transport, transportOf } from "./visitor.ts";

interface Parts extends AccountParts {
  /** The refusal of a client without a session that asks too often. */
  readonly tooMany: (request: FastifyRequest) => ApiError | undefined;
}

/** Headers of the page and of its answers, besides a policy of contents: nothing from outside, no frame around it. */
export const HELMET = {
  // Other hosts under the same name are not ours to decide on.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  frameguard: { action: "deny" },
  referrerPolicy: { policy: "no-referrer" },
} as const;

const NOTHING = ["'none'"];
/** Of answers that are data. */
const API_POLICY = {
  useDefaults: false,
  directives: {
    "default-src": NOTHING,
    "frame-ancestors": NOTHING,
    "base-uri": NOTHING,
    "form-action": NOTHING,
  },
};

const NOT_PUBLIC = { isKeyless: true, isCrossOrigin: false } as const;

/** Adds `/account/…`: every route by the same path, in a scope of its own, which the API does not feel. */
export async function addAccountRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyCookie);
    await scope.register(fastifyHelmet, { ...HELMET, contentSecurityPolicy: API_POLICY });
    scope.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });
    const limits = new SessionLimits(parts.account.now);
    for (const route of ACCOUNT_ROUTES) addRoute(scope, route, parts, limits);
    refuseOtherMethods(scope, ACCOUNT_ROUTES, {
      config: NOT_PUBLIC,
      alsoPreflight: true,
      refuse: (error, request, reply) => void sendError(reply, parts.tooMany(request) ?? error),
    });
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** How a request to the account page came and whose it is. */
    visitor: Visitor | null;
  }
}

interface Visitor {
  readonly transport: Transport;
  readonly signedIn: SignedIn | undefined;
}

function addRoute(scope: FastifyInstance, route: AccountRoute, parts: Parts, limits: SessionLimits): void {
  const { response } = route.schema;
  const { status = response === undefined ? 204 : 200, bodyLimit } = route;
  const readInput = inputReader(route.schema);
  scope.route({
    method: route.method,
    url: route.path,
    config: NOT_PUBLIC,
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(response !== undefined && { schema: { response: { [status]: response } } }),
    // Before the body is read: what a stranger sends is not worth reading.
    onRequest: async (request) => {
      request.visitor = await visitorOf(request, route, parts, limits);
    },
    handler: async (request, reply) => {
      try {
        const visit = await visitOf(request, reply, route, parts);
        const body = await route.handler(readInput(request, readRawQuery(request.raw.url ?? "")), visit);
        // Fastify reads the whole body for HEAD, to throw it away.
        if (body instanceof Readable && request.method === "HEAD") body.destroy();
        return await reply.code(status).send(body);
      } catch (error) {
        throw asAnswer(error);
      }
    },
  });
}

/** @throws {ApiError} when this visitor may not ask this */
async function visitorOf(
  request: FastifyRequest,
  { who, isHashing }: AccountRoute,
  { account, publicUrl, tooMany }: Parts,
  limits: SessionLimits,
): Promise<Visitor> {
  const arrival = arrivalOf(request);
  const transport = transportOf(arrival, publicUrl);
  checkOrigin(arrival, transport, publicUrl);
  const token = request.cookies[cookieName(transport)];
  const known = token === undefined ? undefined : limits.known(token);
  // Before the state is asked: a refusal costs it nothing, nor does a cookie that is made up.
  allow(known === undefined ? tooMany(request) : limits.refuse(known, isHashing === true));
  const signedIn = token === undefined ? undefined : await account.sessions.find(token);
  if (token !== undefined && signedIn === undefined) limits.forget(token);
  if (token !== undefined && signedIn !== undefined && known === undefined) {
    limits.know(token, signedIn.session);
    allow(limits.refuse(signedIn.session, isHashing === true));
  }
  checkWho(who, signedIn);
  return { transport, signedIn };
}

/** @throws {ApiError} when a route is for others */
function checkWho(who: AccountRoute["who"], signedIn: SignedIn | undefined): void {
  if (who !== "anybody" && signedIn === undefined) {
    throw new ApiError("UNAUTHORIZED", "sign in first: there is no session, or it has ended");
  }
  if (who === "operator" && signedIn?.person.isAdmin !== true) {
    throw new ApiError("FORBIDDEN", "this is for operators: `opzoek account admin` makes an account one");
  }
}

/** @throws {ApiError} the refusal, where there is one */
function allow(refusal: ApiError | undefined): void {
  if (refusal !== undefined) throw refusal;
}

/**
 * A request whose body has come, which may take as long as a sender likes: a session that ended meanwhile, by a new password or by
 * its owner, who found it stolen, changes nothing any more.
 * @throws {ApiError} when this visitor may not ask this any more
 */
async function visitOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { who, method }: AccountRoute,
  parts: AccountParts,
): Promise<SignedInVisit> {
  if (request.visitor === null) throw new Error("a handler ran before its visitor was known");
  const { transport } = request.visitor;
  let { signedIn } = request.visitor;
  const name = cookieName(transport);
  const token = request.cookies[name];
  if (method !== "GET" && token !== undefined && signedIn !== undefined) {
    signedIn = await parts.account.sessions.find(token);
    checkWho(who, signedIn);
  }
  const kept = { path: "/", httpOnly: true, sameSite: "strict", secure: transport === "tls" } as const;
  return {
    ...parts,
    app: request.server,
    // Routes that need a session were refused without one; the others are typed for its absence.
    signedIn: signedIn as SignedIn,
    accountId: signedIn?.person.account.id ?? "",
    client: request.headers["user-agent"],
    address: limiterSubject(request.clientAddress),
    gone: goneSignal(reply),
    // A reply is a promise of its own end: a handler that returned one would wait for itself.
    signIn({ token: opened, signedIn: { session } }: Opened) {
      reply.setCookie(name, opened, { ...kept, expires: new Date(session.endsAtMs) });
    },
    signOut() {
      reply.clearCookie(name, kept);
    },
    asFile(fileName, type) {
      reply.header("content-type", type).header("content-disposition", `attachment; filename="${fileName}"`);
    },
  };
}

/** Aborted when the connection closes; Fastify's own `request.signal` is so as soon as the body was read. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  raw.once("close", () => gone.abort());
  return gone.signal;
}

/** The prefix binds a cookie to this host and to TLS; browsers refuse it without. */
function cookieName(transport: Transport): string {
  return transport === "tls" ? "__Host-opzoek" : "opzoek";
}
