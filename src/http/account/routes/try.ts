import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { word } from "../../../contract/accountFields.ts";
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
        method: word(["GET", "POST"], "GET or POST."),
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
        const told = TOLD.filter((name) => answer.headers[name] !== undefined);
        const headers = Object.fromEntries(told.map((name) => [name, String(answer.headers[name])]));
        const parsed = text !== undefined && { body: JSON.parse(text) as unknown };
        return { status: answer.statusCode, headers, ...parsed, durationMs };
      };
      const isFree = freeTiers(visit.services.tiers).includes(signedIn.person.account.tierName);
      return tickets.with(pageKey, tried, isFree);
    },
  }),
];

type Injected = Awaited<ReturnType<FastifyInstance["inject"]>>;

/**
 * The body of an answer in JSON, undefined for any other, which is not read. Destroying such an answer, as a caller who hangs up
 * does, destroys the stream of its body and its source.
 * @throws {ApiError} when it is too large to be shown
 */
async function jsonTextOf({ headers, raw, stream }: Injected): Promise<string | undefined> {
  if (!String(headers["content-type"]).startsWith("application/json")) {
    raw.res.destroy();
    return undefined;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream() as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) {
      raw.res.destroy();
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

/** The path as it will be routed; dots must not lead out of the API. @throws {ApiError} */
function apiPath(path: string): string {
  const url =
    path.startsWith(API) && URL.canParse(path, "http://api.invalid")
      ? new URL(path, "http://api.invalid")
      : undefined;
  if (url?.host === "api.invalid" && url.pathname.startsWith(API)) return url.pathname + url.search;
  throw new ApiError("INVALID_REQUEST", "path must be a path of the API, such as /v1/usage");
}
