import type { TObject } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";

/** What a schema says of one field; `x-rule` puts it into words, `x-secret` keeps the value out of messages. */
interface BodyRule {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly "x-rule"?: string;
  readonly "x-secret"?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: BodyRule;
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * A JSON body as a schema states it.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST that names the field, the rule and what was received
 */
export function readBody(
  schema: TObject,
  contentType: string | undefined,
  body: unknown,
): Record<string, unknown> {
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      `send the body as Content-Type: application/json; received ${quoted(contentType ?? "none")}`,
    );
  }
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new ApiError("INVALID_REQUEST", `the body must be a JSON object; received ${inWords(parsed)}`);
  }
  const known = Object.keys(schema.properties);
  const fields = new Map<string, unknown>(Object.entries(parsed));
  for (const name of fields.keys()) {
    if (!known.includes(name)) {
      throw new ApiError(
        "INVALID_REQUEST",
        `unknown field ${quoted(name)} in the body; known here: ${known.join(", ")}`,
      );
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(schema.properties)) {
    const value = fields.get(name);
    if (value !== undefined) values[name] = check(name, rule as BodyRule, value);
    else if (schema.required?.includes(name)) {
      throw new ApiError("INVALID_REQUEST", `${name} is required: ${ruleInWords(rule as BodyRule)}`);
    }
  }
  return values;
}

function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new ApiError("INVALID_REQUEST", "the body must be JSON; none was received");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ApiError("INVALID_REQUEST", "the body must be valid JSON in UTF-8; it cannot be parsed");
  }
}

function check(name: string, rule: BodyRule, value: unknown): unknown {
  if (rule.type !== "array") {
    if (isScalar(rule, value)) return value;
    const received = rule["x-secret"] ? "" : `; received ${inWords(value)}`;
    throw new ApiError("INVALID_REQUEST", `${name} must be ${ruleInWords(rule)}${received}`);
  }
  const isLongEnough = Array.isArray(value) && value.length >= (rule.minItems ?? 0);
  if (!isLongEnough || value.length > (rule.maxItems ?? Number.MAX_SAFE_INTEGER)) {
    throw new ApiError("INVALID_REQUEST", `${name} must be ${ruleInWords(rule)}; received ${inWords(value)}`);
  }
  for (const [index, item] of value.entries()) check(`${name}[${index}]`, rule.items ?? {}, item);
  return value;
}

function isScalar(rule: BodyRule, value: unknown): boolean {
  if (rule.enum !== undefined && !rule.enum.includes(value)) return false;
  if (rule.type === "integer") return Number.isSafeInteger(value);
  if (typeof value !== rule.type) return false;
  if (typeof value !== "string") return true;
  return value.length >= (rule.minLength ?? 0) && value.length <= (rule.maxLength ?? Number.MAX_SAFE_INTEGER);
}

function ruleInWords(rule: BodyRule): string {
  if (rule["x-rule"] !== undefined) return rule["x-rule"];
  if (rule.enum !== undefined) return `one of ${rule.enum.join(", ")}`;
  if (rule.type === "array")
    return `an array of ${rule.minItems ?? 0} to ${rule.maxItems ?? "any number of"} strings`;
  if (rule.type === "integer") return "a whole number";
  return rule.type === "boolean" ? "true or false" : "a string";
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? quoted(value) : quoted(JSON.stringify(value) ?? "nothing");
}
