import { Type } from "typebox";
import { type Tried, TriedSchema } from "../../../contract/accountResources.ts";
import { ApiError } from "../../../contract/errors.ts";
import { EXPOSED_HEADERS } from "../../headers.ts";
import { type AccountRoute, forSignedIn } from "../route.ts";

const MOST_PATH_LENGTH = 2_000;
const API = "/v1/";
const TOLD = EXPOSED_HEADERS.map((name) => name.toLowerCase());

/** Calls of the real API for who is signed in, without the key: the service has its hash only. */
export const tryRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "POST",
    path: "/account/try",
    status: 200,
    schema: {
      body: Type.Object({
        method: Type.Unsafe<"GET" | "POST">({
          type: "string",
          enum: ["GET", "POST"],
          description: "GET or POST.",
        }),
        path: Type.String({
          maxLength: MOST_PATH_LENGTH,
          description: "Path and query of the API, `/v1/…`.",
          "x-secret": true,
          "x-rule": `a path of the API, /v1/…, of at most ${MOST_PATH_LENGTH} characters`,
        }),
        body: Type.Optional(Type.String({ description: "The JSON body as text.", "x-secret": true })),
        keyId: Type.Optional(
          Type.String({ maxLength: 64, description: "The key that calls; else the newest." }),
        ),
      }),
      response: TriedSchema,
    },
    handler: async ({ body: { method, path, body, keyId } }, visit): Promise<Tried> => {
      const { account, signedIn, tickets, app, address } = visit;
      const url = apiPath(path);
      const usedKey = await account.keys.live(signedIn.person.account.id, keyId);
      const startedMs = performance.now();
      const answer = await tickets.with(usedKey, (ticket) =>
        app.inject({
          method,
          url,
          remoteAddress: address,
          headers: {
            authorization: `Bearer ${ticket}`,
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { payload: body }),
        }),
      );
      const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
      const headers: Record<string, string> = {};
      for (const name of TOLD) {
        const value = answer.headers[name];
        if (value !== undefined) headers[name] = String(value);
      }
      const isJson = String(answer.headers["content-type"]).startsWith("application/json");
      return {
        status: answer.statusCode,
        headers,
        ...(isJson && { body: JSON.parse(answer.body) as unknown }),
        durationMs,
        keyId: usedKey,
      };
    },
  }),
];

/** The path as it will be routed; dots must not lead out of the API. @throws {ApiError} */
function apiPath(path: string): string {
  const url =
    path.startsWith(API) && URL.canParse(path, "http://api.invalid")
      ? new URL(path, "http://api.invalid")
      : undefined;
  if (url?.host === "api.invalid" && url.pathname.startsWith(API)) return url.pathname + url.search;
  throw new ApiError("INVALID_REQUEST", "path must be a path of the API, such as /v1/usage");
}
