import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type Tried, TriedSchema } from "../../../contract/accountResources.ts";
import { ApiError } from "../../../contract/errors.ts";
import { freeTiers } from "../../../contract/tiers.ts";
import { EXPOSED_HEADERS } from "../../headers.ts";
import { type AccountRoute, forSignedIn } from "../route.ts";

const MOST_PATH_LENGTH = 2_000;
/** What is shown in a browser. Lists and their results have no end that a process could hold. */
const MOST_ANSWER_BYTES = 1 << 20;
const API = "/v1/";
const TOLD = EXPOSED_HEADERS.map((name) => name.toLowerCase());

/**
 * Calls of the real API for who is signed in. They are counted under the page's own key, never under one of the account's: when one
 * of those was last used tells of programs alone.
 */
export const tryRoutes: readonly AccountRoute[] = [
  forSignedIn("POST /account/try", {
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
        body: Type.Optional(
          Type.String({ description: "The JSON body as text.", "x-secret": true, "x-multiline": true }),
        ),
      }),
      response: TriedSchema,
    },
    handler: async ({ body: { method, path, body } }, visit): Promise<Tried> => {
      const { account, signedIn, tickets, app, address } = visit;
      const url = apiPath(path);
      const pageKey = await account.keys.ofPage(signedIn.person.account.id);
      const startedMs = performance.now();
      const tried = async (ticket: string): Promise<Tried> => {
        const answer = await app.inject({
          method,
          url,
          remoteAddress: address,
          headers: {
            authorization: `Bearer ${ticket}`,
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { payload: body }),
          payloadAsStream: true,
        });
        const text = await jsonTextOf(answer);
        const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
        const headers: Record<string, string> = {};
        for (const name of TOLD) {
          const value = answer.headers[name];
          if (value !== undefined) headers[name] = String(value);
        }
        const parsed: unknown = text === undefined ? undefined : JSON.parse(text);
        return {
          status: answer.statusCode,
          headers,
          ...(text !== undefined && { body: parsed }),
          durationMs,
        };
      };
      const isFree = freeTiers(visit.services.tiers).includes(signedIn.person.account.tierName);
      return tickets.with(pageKey, tried, isFree);
    },
  }),
];

type Injected = Awaited<ReturnType<FastifyInstance["inject"]>>;

/** The body of an answer in JSON, undefined for any other: that is not read. @throws {ApiError} when it is too large to be shown */
async function jsonTextOf({ headers, raw, stream }: Injected): Promise<string | undefined> {
  if (!String(headers["content-type"]).startsWith("application/json")) {
    drop(raw.res);
    return undefined;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream() as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) {
      drop(raw.res);
      const charged = headers["x-tokens-charged"] ?? 0;
      throw new ApiError(
        "INVALID_REQUEST",
        `the answer is larger than the ${MOST_ANSWER_BYTES} bytes that are shown here; make the call with an API key, by a program such as curl, or ask for less; tokens charged: ${charged}`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Ends an answer as a caller who hangs up does: the stream of its body is destroyed, and so is what feeds it. */
function drop(answer: ServerResponse): void {
  answer.destroy();
}

/** The path as it will be routed; dots must not lead out of the API. @throws {ApiError} */
function apiPath(path: string): string {
  const url =
    path.startsWith(API) && URL.canParse(path, "http://api.invalid")
      ? new URL(path, "http://api.invalid")
      : undefined;
  if (url?.host === "api.invalid" && url.pathname.startsWith(API)) return url.pathname + url.search;
  throw new ApiError("INVALID_REQUEST", "path must be a path of the API, such as /v1/usage");
}
