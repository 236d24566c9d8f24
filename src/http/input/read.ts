import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import { ApiError, invalid } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";
import type { Documentation, Input, InputSchema, Upload } from "../endpoint.ts";
import { LIMITS } from "../limits.ts";
import { JSON_VALUES, type Notation, type Sent, schemaReader, TEXT, unknownName } from "./schemaReader.ts";

const NOTHING = {};

export type InputReader = (request: FastifyRequest, query: RawQuery) => Input;

/**
 * Returns a function that reads and validates the input of an endpoint. It throws an ApiError for the first violation.
 * @param values how a JSON body is written
 */
export function inputReader(
  { params, querystring, body }: InputSchema,
  { uploads, isForm }: Pick<Documentation, "uploads" | "isForm"> = {},
  values: Notation = JSON_VALUES,
): InputReader {
  const known = Object.keys(querystring?.properties ?? {});
  const readParams = params && schemaReader(params, TEXT);
  const readQuery = querystring && schemaReader(querystring, TEXT);
  const readBody = body && (isForm ? formReader(body) : bodyReader(body, values));
  return (request, query) => {
    const texts = uniqueParameters(query, known);
    return {
      // Decoded by the router.
      params: readParams?.(request.params as Sent) ?? NOTHING,
      query: readQuery?.(texts) ?? NOTHING,
      body: readBody?.(request.headers["content-type"], request.body) ?? NOTHING,
      headers: request.headers,
      ...(uploads !== undefined && { upload: uploadOf(request, uploads) }),
    };
  };
}

/** Makes the routes of a scope receive bodies as streams. */
export function acceptStream(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  return scope;
}

/** Returns a body as a stream. @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST without a body */
function uploadOf({ headers, body }: FastifyRequest, types: readonly string[]): Upload {
  const sentType = headers["content-type"];
  const type = sentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === undefined || !types.includes(type)) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      `send the body as Content-Type: ${types.join(" or ")}; received ${quoted(sentType ?? "none")}`,
    );
  }
  if (!(body instanceof Readable)) throw invalid("a body is required; none was received");
  return { type, stream: body };
}

/** The query of a URL: decoded pairs in order, and the first name that cannot be decoded. */
export interface RawQuery {
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly undecodable?: string;
  /** It has more parts than are read. */
  readonly isCut?: true;
}

/** The maximum number of parameters or form fields. No endpoint has nearly as many. */
const MAX_PAIRS = 100;

const EMPTY: RawQuery = { pairs: [] };

/** Splits and decodes a URL's query. Invalid percent escapes and invalid UTF-8 are reported. */
export function readRawQuery(url: string): RawQuery {
  const start = url.indexOf("?");
  if (start === -1 || start === url.length - 1) return EMPTY;
  const pairs: [string, string][] = [];
  let undecodable: string | undefined;
  const parts = url.slice(start + 1).split("&", MAX_PAIRS + 1);
  for (const part of parts.slice(0, MAX_PAIRS)) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) undecodable ??= name ?? "a parameter name";
    else pairs.push([name, value]);
  }
  return {
    pairs,
    ...(undecodable !== undefined && { undecodable }),
    ...(parts.length > MAX_PAIRS && { isCut: true }),
  };
}

/** The query parameter of the key, which every endpoint with a key accepts. */
export const KEY_PARAMETER = "apikey";

/** The query parameter with which old scripts request JSONP. */
const JSONP_PARAMETER = "callback";

/** Returns the key in a query, if there is exactly one. */
export function keyInQuery({ pairs }: RawQuery): string | undefined {
  const found = pairs.filter(([name]) => name === KEY_PARAMETER);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/**
 * Returns the parameters by name. Each must be known, decodable and given once.
 * @throws {ApiError} INVALID_REQUEST that names the parameter and the known ones
 */
export function uniqueParameters(
  query: RawQuery,
  known: readonly string[],
  what = "query parameter",
): Readonly<Record<string, string>> {
  if (query.undecodable !== undefined) {
    throw invalid(`${quoted(query.undecodable)} must be percent-encoded UTF-8; it cannot be decoded`);
  }
  if (query.isCut === true) throw invalid(`there are too many ${what}s; send at most ${MAX_PAIRS}`);
  const values: Record<string, string> = {};
  for (const [name, value] of query.pairs) {
    if (name === JSONP_PARAMETER) {
      throw invalid(
        "JSONP is not supported: leave out callback; scripts of any page may read the JSON response",
      );
    }
    if (name !== KEY_PARAMETER && !known.includes(name)) {
      throw unknownName(`${what} ${quoted(name)}`, known);
    }
    if (Object.hasOwn(values, name)) {
      throw invalid(`${what} ${name} must be given once; it was repeated`);
    }
    values[name] = value;
  }
  const { [KEY_PARAMETER]: _key, ...own } = values;
  return own;
}

function decode(text: string): string | undefined {
  if (!text.includes("%")) return text.includes("+") ? text.replaceAll("+", " ") : text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const FORM = "application/x-www-form-urlencoded";
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** Methods whose body is never read. */
const BODILESS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Codings that do not change the bytes; empty elements of the list are ignored. */
const UNCOMPRESSED = new Set(["", "identity", "chunked"]);

/**
 * Returns a function that reads a JSON body by a schema. It throws an ApiError: UNSUPPORTED_MEDIA_TYPE, or
 * INVALID_REQUEST that names the field, the rule and the received value.
 */
export function bodyReader(
  schema: TObject,
  values: Notation = JSON_VALUES,
): (contentType: string | undefined, body: unknown) => Record<string, unknown> {
  const known = Object.keys(schema.properties);
  const readFields = schemaReader(schema, values);
  return (contentType, body) => {
    const parsed = parseJson(textOfJson(contentType, body));
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      throw invalid(`the body must be a JSON object; received ${kindOf(parsed)}`);
    }
    const unknown = Object.keys(parsed).find((name) => !known.includes(name));
    if (unknown !== undefined) throw unknownName(`field ${quoted(unknown)} in the body`, known);
    return readFields({ ...parsed });
  };
}

/** The maximum of commas, and of brackets, in JSON that is larger than usual: more than any valid body has. */
const MAX_JSON_PARTS = 10_000;

/** Returns a function that reads a form by a schema of texts. It throws an ApiError like {@link bodyReader}. */
function formReader(
  schema: TObject,
): (contentType: string | undefined, body: unknown) => Record<string, unknown> {
  const known = Object.keys(schema.properties);
  const readFields = schemaReader(schema, TEXT);
  return (contentType, body) => {
    checkType(contentType, FORM_TYPE, FORM);
    if (!Buffer.isBuffer(body)) throw invalid("a body is required; none was received");
    // Percent escapes are ASCII, and other bytes cannot be part of one.
    const fields = readRawQuery(`?${body.toString("latin1")}`);
    return readFields(uniqueParameters(fields, known, "form field"));
  };
}

/** @throws {ApiError} UNSUPPORTED_MEDIA_TYPE */
function checkType(contentType: string | undefined, pattern: RegExp, type: string): void {
  if (contentType !== undefined && pattern.test(contentType)) return;
  throw new ApiError(
    "UNSUPPORTED_MEDIA_TYPE",
    `send the body as Content-Type: ${type}; received ${quoted(contentType ?? "none")}`,
  );
}

/**
 * Returns the text of a body with a JSON media type, unparsed.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST when there is no UTF-8 text
 */
export function textOfJson(contentType: string | undefined, body: unknown): string {
  checkType(contentType, JSON_TYPE, "application/json");
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw invalid("the body must be JSON; none was received");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw notJson();
  }
}

/** Refuses compressed bodies with UNSUPPORTED_MEDIA_TYPE on every route that reads a body, before reading it. */
export function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook("preParsing", (request, reply, payload, done) => {
    const refusal =
      BODILESS.has(request.method) || request.is404 ? undefined : refusalOfCoding(request.headers);
    if (refusal === undefined) return done(null, payload);
    // RFC 9110, section 12.5.3: distinguishes this refusal from one for the Content-Type.
    reply.header("accept-encoding", "identity");
    return done(refusal);
  });
}

function refusalOfCoding(headers: IncomingHttpHeaders): ApiError | undefined {
  const content = headers["content-encoding"];
  const transfer = headers["transfer-encoding"];
  if (content === undefined && (transfer === undefined || transfer === "chunked")) return undefined;
  const codings = `${content ?? ""},${transfer ?? ""}`
    .split(",")
    .map((coding) => coding.trim().toLowerCase());
  const compressed = codings.filter((coding) => !UNCOMPRESSED.has(coding));
  if (compressed.length === 0) return undefined;
  return new ApiError(
    "UNSUPPORTED_MEDIA_TYPE",
    `send the body uncompressed, without Content-Encoding; received ${quoted(compressed.join(", "))}`,
  );
}

/** Returns the kind of a value. The value itself may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

/**
 * Parses JSON.
 * @throws {ApiError} INVALID_REQUEST, also for so many objects or fields that parsing them would take long
 */
export function parseJson(text: string, what = "the body"): unknown {
  const hasTooMany = (part: string) => text.split(part, MAX_JSON_PARTS + 1).length > MAX_JSON_PARTS;
  if (text.length > LIMITS.bodyLimit && [",", "[", "{"].some(hasTooMany))
    throw invalid(`${what} must have at most ${MAX_JSON_PARTS} values and fields`);
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(what);
  }
}

function notJson(what = "the body"): ApiError {
  return invalid(`${what} must be valid JSON in UTF-8; it cannot be parsed`);
}
