import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import type { TObject } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";
import { JSON_VALUES, schemaReader } from "./schemaReader.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** Methods whose body is never read. */
const BODILESS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Codings that leave the bytes as they are; empty parts of a list mean nothing. */
const UNCOMPRESSED = new Set(["", "identity", "chunked"]);

/**
 * Reads a JSON body as a schema states it. Made once for a schema. What it makes throws an ApiError:
 * UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST that names the field, the rule and what was received.
 */
export function bodyReader(
  schema: TObject,
): (contentType: string | undefined, body: unknown) => Record<string, unknown> {
  const known = Object.keys(schema.properties);
  const readFields = schemaReader(schema, JSON_VALUES);
  return (contentType, body) => {
    const parsed = parseJson(textOfJson(contentType, body));
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      throw new ApiError("INVALID_REQUEST", `the body must be a JSON object; received ${kindOf(parsed)}`);
    }
    const fields = new Map<string, unknown>(Object.entries(parsed));
    for (const name of fields.keys()) {
      if (!known.includes(name)) {
        throw new ApiError(
          "INVALID_REQUEST",
          `unknown field ${quoted(name)} in the body; known here: ${known.join(", ")}`,
        );
      }
    }
    return readFields(fields);
  };
}

/**
 * The text of a body that is said to be JSON; whether it is remains to be seen.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST when there is none in UTF-8
 */
export function textOfJson(contentType: string | undefined, body: unknown): string {
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      `send the body as Content-Type: application/json; received ${quoted(contentType ?? "none")}`,
    );
  }
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new ApiError("INVALID_REQUEST", "the body must be JSON; none was received");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw notJson();
  }
}

/** Answers UNSUPPORTED_MEDIA_TYPE to a body that is compressed, on every route that reads one, before any of it is read. */
export function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook("preParsing", (request, reply, payload, done) => {
    const refusal =
      BODILESS.has(request.method) || request.is404 ? undefined : refusalOfCoding(request.headers);
    if (refusal === undefined) return done(null, payload);
    // RFC 9110, section 12.5.3: it tells this refusal from one of the Content-Type.
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

/** The kind of a value, which alone says enough: a text may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): ApiError {
  return new ApiError("INVALID_REQUEST", "the body must be valid JSON in UTF-8; it cannot be parsed");
}
