import { Readable } from "node:stream";
import fastifyCookie from "@fastify/cookie";
import fastifyHelmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OpenedSession, SignedIn } from "../../accounts/sessions.ts";
import { ApiError, forbidden } from "../../contract/errors.ts";
import { limiterSubject } from "../../lib/minuteLimiter.ts";
import { acceptStream, inputReader, readRawQuery } from "../input/read.ts";
import { refuseOtherMethods } from "../otherMethods.ts";
import { sendError } from "../sending.ts";
import type { AccountParts, AccountRoute, SignedInRequest } from "./route.ts";
import { ACCOUNT_ROUTES } from "./routes/all.ts";
import { SessionLimits } from "./visitLimits.ts";
import { arrivalOf, asAnswer, checkOrigin, type Transport, transportOf } from "./visitor.ts";

interface Parts extends AccountParts {
  /** Returns an error for a client without a session that calls too often. */
  readonly tooMany: (request: FastifyRequest) => ApiError | undefined;
}

/** Security headers of the page and its responses, besides the content security policy. */
export const HELMET = {
  // Subdomains may belong to other services.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  frameguard: { action: "deny" },
  referrerPolicy: { policy: "no-referrer" },
} as const;

const NOTHING = ["'none'"];
/** The content security policy of JSON responses. */
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

/**
 * Adds every route of `/account/…`, the interface of the account page: not part of the public API, and free to change
 * with the page. Its own scope keeps its hooks away from the API. Every request passes transport → limit → session →
 * origin → input → work: TLS or this machine, a session cookie that scripts cannot read, and for anything but GET the
 * page's own origin.
 */
export async function addAccountRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyCookie);
    await scope.register(fastifyHelmet, { ...HELMET, contentSecurityPolicy: API_POLICY });
    scope.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });
    const limits = new SessionLimits(parts.account.now);
    for (const route of ACCOUNT_ROUTES) {
      if (route.uploads === undefined) addRoute(scope, route, parts, limits);
      else scope.register(async (uploading) => addRoute(acceptStream(uploading), route, parts, limits));
    }
    refuseOtherMethods(scope, ACCOUNT_ROUTES, {
      config: NOT_PUBLIC,
      alsoPreflight: true,
      refuse: (error, request, reply) => void sendError(reply, parts.tooMany(request) ?? error),
    });
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** The visitor of a request to the account page. */
    visitor: Visitor | null;
  }
}

interface Visitor {
  readonly transport: Transport;
  readonly signedIn: SignedIn | undefined;
}

function addRoute(scope: FastifyInstance, route: AccountRoute, parts: Parts, limits: SessionLimits): void {
  const { response } = route.schema;
  const { status = response === undefined ? 204 : 200, uploads } = route;
  const readInput = inputReader(route.schema, uploads === undefined ? {} : { uploads });
  scope.route({
    method: route.method,
    url: route.path,
    config: NOT_PUBLIC,
    ...(uploads !== undefined && { bodyLimit: Number.MAX_SAFE_INTEGER }),
    ...(response !== undefined && { schema: { response: { [status]: response } } }),
    // Before the body is read, so that strangers cannot make the service read one.
    onRequest: async (request) => {
      request.visitor = await visitorOf(request, route, parts, limits);
    },
    handler: async (request, reply) => {
      try {
        const visit = await visitAfterBody(request, reply, route, parts);
        const body = await route.handler(readInput(request, readRawQuery(request.raw.url ?? "")), visit);
        // For HEAD, Fastify would read the whole body and discard it.
        if (body instanceof Readable && request.method === "HEAD") body.destroy();
        return await reply.code(status).send(body);
      } catch (error) {
        throw asAnswer(error);
      }
    },
  });
}

/** @throws {ApiError} (the promise) when this visitor may not use this route */
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
  // Before the state is read, so that refused requests and invalid cookies cost it nothing.
  throwIfRefused(known === undefined ? tooMany(request) : limits.refuse(known, isHashing === true));
  const signedIn = token === undefined ? undefined : await account.sessions.find(token);
  if (token !== undefined && signedIn === undefined) limits.forget(token);
  if (token !== undefined && signedIn !== undefined && known === undefined) {
    limits.know(token, signedIn.session);
    throwIfRefused(limits.refuse(signedIn.session, isHashing === true));
  }
  checkAccess(who, signedIn);
  return { transport, signedIn };
}

/** @throws {ApiError} when the route needs a session or an operator */
function checkAccess(who: AccountRoute["who"], signedIn: SignedIn | undefined): void {
  if (who !== "everyone" && signedIn === undefined) {
    throw new ApiError("UNAUTHORIZED", "you are not signed in, or your session has ended: sign in");
  }
  if (who === "operator" && signedIn?.person.isAdmin !== true) {
    throw forbidden("only operators may do this; `opzoek account admin` makes an account an operator");
  }
}

/** @throws {ApiError} the refusal, if any */
function throwIfRefused(refusal: ApiError | undefined): void {
  if (refusal !== undefined) throw refusal;
}

/**
 * Returns the visit of a request after its body was received, which a sender can delay. The session is checked again,
 * because it may have ended in the meantime by a new password or a sign-out.
 * @throws {ApiError} (the promise) when this visitor may no longer use this route
 */
async function visitAfterBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { who, method }: AccountRoute,
  parts: AccountParts,
): Promise<SignedInRequest> {
  if (request.visitor === null) throw new Error("the handler ran before the visitor was identified");
  const { transport } = request.visitor;
  let { signedIn } = request.visitor;
  const name = cookieName(transport);
  const token = request.cookies[name];
  if (method !== "GET" && token !== undefined && signedIn !== undefined) {
    signedIn = await parts.account.sessions.find(token);
    checkAccess(who, signedIn);
  }
  const cookieOptions = {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: transport === "tls",
  } as const;
  return {
    ...parts,
    app: request.server,
    // Routes that need a session were refused without one.
    signedIn: signedIn as SignedIn,
    accountId: signedIn?.person.account.id ?? "",
    client: request.headers["user-agent"],
    address: limiterSubject(request.clientAddress),
    gone: disconnectSignal(reply),
    // These return nothing: a reply is thenable, so returning it would make the handler wait for itself.
    signIn({ token: opened, signedIn: { session } }: OpenedSession) {
      reply.setCookie(name, opened, { ...cookieOptions, expires: new Date(session.endsAtMs) });
    },
    signOut() {
      reply.clearCookie(name, cookieOptions);
    },
    asFile(fileName, type) {
      reply.header("content-type", type).header("content-disposition", `attachment; filename="${fileName}"`);
    },
  };
}

/**
 * Returns a signal that aborts when the connection closes. Fastify's own `request.signal` aborts once the body was
 * read.
 */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const disconnected = new AbortController();
  raw.once("close", () => disconnected.abort());
  return disconnected.signal;
}

/** Returns the cookie's name. The prefix `__Host-` binds it to this host and to TLS. */
function cookieName(transport: Transport): string {
  return transport === "tls" ? "__Host-opzoek" : "opzoek";
}
