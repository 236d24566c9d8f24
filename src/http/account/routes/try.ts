import type { FastifyInstance, InjectOptions } from "fastify";
import { Type } from "typebox";
import { type Tried, TriedSchema } from "../../../contract/accountResources.ts";
import { invalid } from "../../../contract/errors.ts";
import { word } from "../../../contract/fields.ts";
import { JobKindSchema } from "../../../contract/jobs.ts";
import { freeTiers } from "../../../contract/tiers.ts";
import { MaxTokensParameter } from "../../endpoints/jobs/manage.ts";
import { EXPOSED_HEADERS } from "../../headers.ts";
import { type AccountRoute, forSignedIn, type SignedInRequest } from "../route.ts";

const MAX_PATH_LENGTH = 2_000;
/** The largest response shown in a browser. The page fetches larger results of a list in parts. */
const MAX_ANSWER_BYTES = 1 << 20;
const API = "/v1/";
const NDJSON = "application/x-ndjson";
const PARTIAL = 206;
const SHOWN_HEADERS = EXPOSED_HEADERS.map((name) => name.toLowerCase());

/**
 * Makes real API calls for the signed-in person. They count under the page's own key, so that the last use of the
 * account's keys shows only programs.
 */
export const tryRoutes: readonly AccountRoute[] = [
  forSignedIn("POST /account/try", {
    schema: {
      body: Type.Object({
        method: word(["GET", "POST", "PATCH", "DELETE"], "The method of the call."),
        path: Type.String({
          maxLength: MAX_PATH_LENGTH,
          description: "Path and query of the call, `/v1/…`.",
          "x-secret": true,
          "x-rule": `a path of the API, /v1/…, of at most ${MAX_PATH_LENGTH} characters`,
        }),
        body: Type.Optional(
          Type.String({ description: "The body: JSON, as text.", "x-secret": true, "x-multiline": true }),
        ),
        range: Type.Optional(
          Type.String({
            pattern: "^bytes=[0-9]{1,15}-[0-9]{1,15}$",
            description: "The requested part of the results of a list.",
            "x-rule": "a range of bytes, such as bytes=0-999999",
          }),
        ),
      }),
      response: TriedSchema,
    },
    handler: ({ body: { method, path, body, range } }, request) =>
      tried(request, {
        method,
        url: apiPath(path),
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(range !== undefined && { range }),
        },
        ...(body !== undefined && { payload: body }),
      }),
  }),
  // The body is passed on as it arrives: a list of rows to match has up to 64 MB.
  forSignedIn("POST /account/try/list", {
    uploads: [NDJSON],
    schema: {
      querystring: Type.Object({
        kind: JobKindSchema,
        idempotencyKey: Type.String({
          minLength: 1,
          maxLength: 64,
          description: "The list's `Idempotency-Key`.",
        }),
        maxTokens: MaxTokensParameter,
      }),
      response: TriedSchema,
    },
    handler: ({ query: { kind, idempotencyKey, maxTokens }, upload }, request) => {
      if (upload === undefined) throw new Error("the route got no upload");
      return tried(request, {
        method: "POST",
        url: `/v1/jobs?kind=${kind}${maxTokens === undefined ? "" : `&maxTokens=${maxTokens}`}`,
        headers: { "content-type": NDJSON, "idempotency-key": idempotencyKey },
        payload: upload.stream,
      });
    },
  }),
];

type Attempt = Pick<InjectOptions, "method" | "url" | "payload"> & {
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Makes a call with the account's page key.
 * @throws {ApiError} (the promise) when too many are in progress, or the response is too large
 */
async function tried(request: SignedInRequest, attempt: Attempt): Promise<Tried> {
  const { account, signedIn, tickets, app, address, services } = request;
  const pageKey = await account.keys.ofPage(signedIn.person.account.id);
  const startedMs = performance.now();
  const call = async (ticket: string): Promise<Tried> => {
    const answer = await app.inject({
      ...attempt,
      remoteAddress: address,
      headers: { ...attempt.headers, authorization: `Bearer ${ticket}` },
      payloadAsStream: true,
    });
    const text = await textOf(answer);
    const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
    const sent = SHOWN_HEADERS.filter((name) => answer.headers[name] !== undefined);
    const headers = Object.fromEntries(sent.map((name) => [name, String(answer.headers[name])]));
    const isPart = answer.statusCode === PARTIAL;
    const shown = text !== undefined && { body: isPart ? text : (JSON.parse(text) as unknown) };
    return { status: answer.statusCode, headers, ...shown, durationMs };
  };
  const isFree = freeTiers(services.tiers).includes(signedIn.person.account.tierName);
  return tickets.with(pageKey, call, isFree);
}

type Injected = Awaited<ReturnType<FastifyInstance["inject"]>>;

/**
 * Returns a JSON body, or the requested part of a list's results; undefined for any other body, which is not read.
 * Destroying such a response also destroys the source of its body, as when the caller disconnects.
 * @throws {ApiError} when it is too large to be shown
 */
async function textOf({ statusCode, headers, raw, stream }: Injected): Promise<string | undefined> {
  const type = String(headers["content-type"]);
  const isPart = statusCode === PARTIAL && type.startsWith(NDJSON);
  if (!isPart && !type.startsWith("application/json")) {
    raw.res.destroy();
    return undefined;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream() as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) {
      raw.res.destroy();
      const charged = headers["x-tokens-charged"] ?? 0;
      throw invalid(
        `the response exceeds the ${MAX_ANSWER_BYTES} bytes that can be shown here: call the API with a key, for example with curl, or request less; tokens charged: ${charged}`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Returns the path as it will be routed, which rejects dots that lead out of the API. @throws {ApiError} */
function apiPath(path: string): string {
  const url =
    path.startsWith(API) && URL.canParse(path, "http://api.invalid")
      ? new URL(path, "http://api.invalid")
      : undefined;
  if (url?.host === "api.invalid" && url.pathname.startsWith(API)) return url.pathname + url.search;
  throw invalid("path must be an API path, such as /v1/usage");
}
