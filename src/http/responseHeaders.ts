import { ERRORS } from "../contract/errors.ts";
import { PRICES } from "../contract/prices.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EXPOSED_HEADERS } from "./headers.ts";

/** A response header as the API document describes it, and where it occurs. */
interface ResponseHeader {
  readonly description: string;
  readonly schema: { readonly type: "integer" | "string"; readonly minimum?: number };
  readonly example: string | number;
  readonly isOn: (endpoint: Endpoint, status: number) => boolean;
}

const COUNT = { type: "integer", minimum: 0 } as const;
const TEXT = { type: "string" } as const;
const OK = 200;
const PARTIAL = 206;
const NOT_MODIFIED = 304;

/** Every response to a good key has these; without one there is no balance. */
const isOfKey: ResponseHeader["isOn"] = ({ auth }, status) =>
  auth === "key" && status !== ERRORS.UNAUTHORIZED.status;
const isStatus =
  (...statuses: readonly number[]): ResponseHeader["isOn"] =>
  (_endpoint, status) =>
    statuses.includes(status);
/** Results of a list, the only thing that is fetched in parts. */
const isFile: ResponseHeader["isOn"] = ({ delivers }, status) =>
  delivers?.types !== undefined && [OK, PARTIAL].includes(status);

/** Every header that a browser's script may read, except `Allow`: it comes with 405, which no described method is answered with. */
const RESPONSE_HEADERS: Readonly<Record<Exclude<(typeof EXPOSED_HEADERS)[number], "Allow">, ResponseHeader>> =
  {
    "X-Request-Id": {
      description: "Names the request in the service's log: give it when you report a problem.",
      schema: TEXT,
      example: "4d1e-8f57-1",
      isOn: () => true,
    },
    "X-RateLimit-Limit": {
      description: "Calls that the key may make a minute.",
      schema: COUNT,
      example: 60,
      isOn: isOfKey,
    },
    "X-RateLimit-Remaining": {
      description: "Calls that are left in this minute.",
      schema: COUNT,
      example: 59,
      isOn: isOfKey,
    },
    "X-RateLimit-Reset": {
      description: "When the next minute begins, Unix seconds.",
      schema: COUNT,
      example: 1_795_219_260,
      isOn: isOfKey,
    },
    "X-Tokens-Remaining": {
      description: "Tokens of the account that are left this month, after this call.",
      schema: COUNT,
      example: 988,
      isOn: isOfKey,
    },
    "X-Tokens-Charged": {
      description: "Tokens that this call cost: 0 for an error.",
      schema: COUNT,
      example: 1,
      isOn: isOfKey,
    },
    "X-Tokens-Reset": {
      description: "When the allowance is replaced, Unix seconds.",
      schema: COUNT,
      example: 1_796_083_200,
      isOn: isOfKey,
    },
    "Retry-After": {
      description:
        "Seconds to wait before the call is made again. With 409 only while the same call is under way.",
      schema: { type: "integer", minimum: 1 },
      example: 30,
      isOn: isStatus(
        ERRORS.CONFLICT.status,
        ERRORS.RATE_LIMIT_EXCEEDED.status,
        ERRORS.SERVICE_UNAVAILABLE.status,
      ),
    },
    "WWW-Authenticate": {
      description: "How to authenticate.",
      schema: TEXT,
      example: "Bearer",
      isOn: isStatus(ERRORS.UNAUTHORIZED.status),
    },
    ETag: {
      description: "Names this body: send it as `If-None-Match`, or as `If-Range` with a `Range`.",
      schema: TEXT,
      example: '"RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o"',
      isOn: (endpoint, status) =>
        isFile(endpoint, status) || (isConditional(endpoint) && [OK, NOT_MODIFIED].includes(status)),
    },
    "Idempotency-Replayed": {
      description:
        "`true` when this is the stored response to an earlier call with the same `Idempotency-Key`.",
      schema: TEXT,
      example: "true",
      isOn: (endpoint, status) =>
        endpoint.uploads === undefined
          ? hasPrice(endpoint) && [OK, NOT_MODIFIED].includes(status)
          : status === endpoint.delivers?.status,
    },
    "Accept-Ranges": {
      description: "`bytes`: parts can be fetched with `Range`.",
      schema: TEXT,
      example: "bytes",
      isOn: isFile,
    },
    "Content-Range": {
      description: "Which bytes these are, and of how many; with 416 only of how many.",
      schema: TEXT,
      example: "bytes 500-999/1000",
      isOn: isStatus(PARTIAL, ERRORS.RANGE_NOT_SATISFIABLE.status),
    },
    "Content-Disposition": {
      description: "The name to save the file by.",
      schema: TEXT,
      example: 'attachment; filename="job_0123456789abcdefABCDEF.csv"',
      isOn: isFile,
    },
  };

/** The description of each header in the API document, by name. */
export const HEADER_COMPONENTS: Readonly<Record<string, Omit<ResponseHeader, "isOn">>> = Object.fromEntries(
  Object.entries(RESPONSE_HEADERS).map(([name, { isOn: _, ...described }]) => [name, described]),
);

/** The headers of an endpoint's response with this status, each by reference to its component. */
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
