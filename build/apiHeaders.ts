/** Headers of requests and responses, for the API document alone. */
import { type TObject, Type } from "typebox";
import { ERRORS } from "../src/contract/errors.ts";
import { PRICES } from "../src/contract/prices.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import type { EXPOSED_HEADERS } from "../src/http/headers.ts";

const IDEMPOTENCY_KEY = idempotencyKey(
  "The same call with the same key within 24 hours gets the stored response for 0 tokens.",
  "9b2c6f0e-4a1d-4c1e-8f57-0d6a3e2b7c11",
);

const IDEMPOTENCY_KEY_OF_LIST = idempotencyKey(
  "The same list with the same key returns the first list in its current state and is charged once.",
  "4f0f6a6c-93a8-4a5e-9c43-2f6d1f0a7b58",
);

const IF_NONE_MATCH = Type.Optional(
  Type.String({
    description:
      "The `ETag` of an earlier response to the same request with the same key, or several separated by commas: 304 without a body, for 0 tokens, if the response is unchanged. `*` is ignored. A response that needs a live source or VIES is sent and charged.",
    examples: ['"RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o"'],
  }),
);

/**
 * Returns the request headers of an endpoint. `idempotency.ts` and `conditional.ts` read them; they are not validated
 * by the schema.
 */
export function headerParameters(endpoint: Endpoint): TObject | undefined {
  if (endpoint.auth === "none") return undefined;
  if (endpoint.uploads !== undefined) return Type.Object({ "Idempotency-Key": IDEMPOTENCY_KEY_OF_LIST });
  if (!hasPrice(endpoint) && !endpoint.isConditional) return undefined;
  return Type.Object({
    ...(hasPrice(endpoint) && { "Idempotency-Key": IDEMPOTENCY_KEY }),
    ...(endpoint.isConditional && { "If-None-Match": IF_NONE_MATCH }),
  });
}

function idempotencyKey(meaning: string, example: string) {
  return Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: `${meaning} Visible ASCII characters, with or without quotes around them; for example a random UUID.`,
      examples: [example],
    }),
  );
}

/** A response header with its description, and the responses that have it. */
interface ResponseHeader {
  readonly isOn: IsOn;
  readonly described: object;
}

type IsOn = (endpoint: Endpoint, status: number) => boolean;

const OK = 200;
const PARTIAL = 206;
const NOT_MODIFIED = 304;

/** Responses to a valid key have these; without a key there is no balance. */
const isOfKey: IsOn = ({ auth }, status) => auth === "key" && status !== ERRORS.UNAUTHORIZED.status;
const isStatus =
  (...statuses: readonly number[]): IsOn =>
  (_endpoint, status) =>
    statuses.includes(status);
/** Results of a list, the only downloads that support `Range`. */
const isFile: IsOn = ({ delivers }, status) =>
  delivers?.types !== undefined && [OK, PARTIAL].includes(status);
const isTagged: IsOn = (endpoint, status) =>
  isFile(endpoint, status) || (isConditional(endpoint) && [OK, NOT_MODIFIED].includes(status));
const isReplayed: IsOn = (endpoint, status) =>
  endpoint.uploads === undefined
    ? hasPrice(endpoint) && [OK, NOT_MODIFIED].includes(status)
    : status === endpoint.delivers?.status;
const isAgain = isStatus(
  ERRORS.CONFLICT.status,
  ERRORS.RATE_LIMIT_EXCEEDED.status,
  ERRORS.SERVICE_UNAVAILABLE.status,
);

function text(isOn: IsOn, example: string, description: string): ResponseHeader {
  return { isOn, described: { description, schema: { type: "string" }, example } };
}

function count(isOn: IsOn, example: number, description: string, minimum = 0): ResponseHeader {
  return { isOn, described: { description, schema: { type: "integer", minimum }, example } };
}

/**
 * Every header that scripts in browsers may read, except `Allow`: it comes with 405, which no described method returns.
 */
const RESPONSE_HEADERS: Readonly<Record<Exclude<(typeof EXPOSED_HEADERS)[number], "Allow">, ResponseHeader>> =
  {
    "X-Request-Id": text(
      () => true,
      "4d1e-8f57-1",
      "The request's id in the service's log. Include it when you report a problem.",
    ),
    "X-RateLimit-Limit": count(isOfKey, 60, "Calls that the key may make per minute."),
    "X-RateLimit-Remaining": count(isOfKey, 59, "Calls left in this minute."),
    "X-RateLimit-Reset": count(isOfKey, 1_795_219_260, "When the next minute begins, Unix seconds."),
    "X-Tokens-Remaining": count(isOfKey, 988, "Tokens of the account left this month, after this call."),
    "X-Tokens-Charged": count(isOfKey, 1, "Tokens that this call cost: 0 for an error."),
    "X-Tokens-Reset": count(isOfKey, 1_796_083_200, "When the allowance is renewed, Unix seconds."),
    "Retry-After": count(
      isAgain,
      30,
      "Seconds to wait before repeating the call. With 409 only while the same call is in progress.",
      1,
    ),
    "WWW-Authenticate": text(isStatus(ERRORS.UNAUTHORIZED.status), "Bearer", "How to authenticate."),
    ETag: text(
      isTagged,
      '"RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o"',
      "The tag of this body: send it as `If-None-Match`, or as `If-Range` with a `Range`.",
    ),
    "Idempotency-Replayed": text(
      isReplayed,
      "true",
      "`true` when this is the stored response to an earlier call with the same `Idempotency-Key`.",
    ),
    "X-Oldest-Cursor": text(
      isStatus(ERRORS.CURSOR_EXPIRED.status),
      "AAAAAAAAABnsMWgv3lYZFw",
      "The oldest cursor that can be continued.",
    ),
    "Accept-Ranges": text(isFile, "bytes", "`bytes`: parts can be fetched with `Range`."),
    "Content-Range": text(
      isStatus(PARTIAL, ERRORS.RANGE_NOT_SATISFIABLE.status),
      "bytes 500-999/1000",
      "The range of bytes and the total; with 416 only the total.",
    ),
    "Content-Disposition": text(
      isFile,
      'attachment; filename="job_0123456789abcdefABCDEF.csv"',
      "The suggested file name.",
    ),
  };

/** The headers in the document's components, by name. */
export const HEADER_COMPONENTS: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(RESPONSE_HEADERS).map(([name, { described }]) => [name, described]),
);

/** Returns the headers of an endpoint's response with this status, as references to components. */
export function responseHeaders(
  endpoint: Endpoint,
  status: number,
): Readonly<Record<string, { $ref: string }>> {
  return Object.fromEntries(
    Object.entries(RESPONSE_HEADERS)
      .filter(([, { isOn }]) => isOn(endpoint, status))
      .map(([name]) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

export function isConditional(endpoint: Endpoint): boolean {
  return endpoint.auth === "key" && endpoint.isConditional === true;
}

function hasPrice(endpoint: Endpoint): boolean {
  return endpoint.auth === "key" && PRICES[endpoint.operation] > 0;
}
