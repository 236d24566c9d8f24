/** Calls of any endpoint of the API document. */
import type { Routes } from "./api/routes.ts";
import { balanceOf } from "./state.ts";
import { type Answer, type CallOptions, type Method, segment, type Transport } from "./transport.ts";

/** The method and the path of an endpoint, such as `GET /v1/lookup/{kvkNumber}`. */
export type Route = keyof Routes;

/** The input of an endpoint, and the options of its call. */
export type RouteOptions<R extends Route> = Omit<Routes[R], "answer"> & CallOptions;

/** The response of an endpoint: its body, or a `Response` to read as a stream if it is not JSON. */
export type RouteAnswer<R extends Route> = Routes[R]["answer"];

/** The input of any call. */
export interface FetchOptions extends CallOptions {
  /** The values of the path's parameters. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** Added to the query of the path; undefined values are omitted. */
  readonly query?: object | undefined;
  /** An object is sent as JSON; a string or a Blob unchanged, as `contentType`. */
  readonly body?: object | string | Blob | undefined;
  /** The media type of a body that is sent unchanged; JSON by default. */
  readonly contentType?: string | undefined;
}

const ROUTE = /^(GET|POST|PATCH|DELETE) (\/.*)$/s;
const HEALTH = "/v1/health";

/** Calls an endpoint. @throws {TypeError} (rejects) for a route that is not a method and a path */
export async function answerTo(
  transport: Transport,
  route: string,
  { path: values = {}, query, body, contentType = "application/json", ...options }: FetchOptions,
): Promise<Answer> {
  const [, method, pattern = ""] = ROUTE.exec(route) ?? [];
  // Without a slash, the path would change the host.
  if (method === undefined)
    throw new TypeError("the route must be a method and a path, such as GET /v1/usage");
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => segment(String(values[name])));
  const isReady = typeof body === "string" || body instanceof Blob;
  const content =
    body === undefined ? undefined : { type: contentType, body: isReady ? body : JSON.stringify(body) };
  const request = { operation: route, method: method as Method, path, query, content, isStream };
  // A service that is down reports its health with 503.
  const health = path === HEALTH && { field: "status", accepts503: true };
  return transport.answer({ ...request, ...health }, options);
}

/** A response that is not JSON comes from the service if it has the balance of every call with a key. */
function isStream({ ok, headers }: Response): boolean {
  const isJson = headers.get("content-type")?.startsWith("application/json");
  return ok && !isJson && balanceOf(headers).rate !== undefined;
}
