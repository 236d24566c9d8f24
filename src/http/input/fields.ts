import type { TObject } from "typebox";
import { ApiError, type ErrorCode } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";

/**
 * What a schema says of one parameter. `x-rule` puts a pattern into words for the error message, `x-error` is the
 * code that a bad value is answered with, `x-hint` what to tell of bad values of a form, `x-secret` keeps the value out of the
 * message.
 */
interface FieldRule {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly "x-rule"?: string;
  readonly "x-error"?: ErrorCode;
  readonly "x-hint"?: { readonly pattern: string; readonly hint: string };
  readonly "x-secret"?: boolean;
}

const CONTROL = /[\u0000-\u001f\u007f]/;

/** Python writes `True`, other languages `1`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Parameters as they were sent, each at most once. */
export interface FieldTexts {
  get(name: string): string | undefined;
}

/**
 * Reads the parameters of a path or a query as a schema states them: from text, checked, defaults filled in. Made once
 * for a schema. What it makes throws an ApiError that names the field, the rule and what was received.
 */
export function fieldsReader(schema: TObject): (texts: FieldTexts) => Record<string, unknown> {
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const rule = property as FieldRule;
    const pattern = rule.pattern === undefined ? undefined : new RegExp(rule.pattern, "u");
    return { name, rule, pattern, isRequired: schema.required?.includes(name) === true };
  });
  return (texts) => {
    const values: Record<string, unknown> = {};
    for (const { name, rule, pattern, isRequired } of fields) {
      const text = texts.get(name);
      if (text !== undefined) values[name] = readField(name, rule, pattern, text);
      else if (rule.default !== undefined) values[name] = rule.default;
      else if (isRequired) {
        throw new ApiError("INVALID_REQUEST", `${name} is required: ${ruleInWords(rule)}`);
      }
    }
    return values;
  };
}

function readField(
  name: string,
  rule: FieldRule,
  pattern: RegExp | undefined,
  text: string,
): string | number | boolean {
  const value = parse(rule, pattern, text);
  if (value !== undefined) return value;
  const received = rule["x-secret"] ? "" : `; received ${quoted(text)}`;
  throw new ApiError(
    rule["x-error"] ?? "INVALID_REQUEST",
    `${name} must be ${ruleInWords(rule)}${received}${hintFor(rule, text)}`,
  );
}

function hintFor({ "x-hint": known }: FieldRule, text: string): string {
  return known !== undefined && new RegExp(known.pattern).test(text) ? `; ${known.hint}` : "";
}

function parse(
  rule: FieldRule,
  pattern: RegExp | undefined,
  text: string,
): string | number | boolean | undefined {
  if (rule.type === "boolean") return BOOLEANS.get(text.toLowerCase());
  if (rule.type === "integer") {
    const number = Number(text);
    const isInside = number >= (rule.minimum ?? 0) && number <= (rule.maximum ?? Number.MAX_SAFE_INTEGER);
    return /^[0-9]{1,15}$/.test(text) && isInside ? number : undefined;
  }
  if (CONTROL.test(text)) return undefined;
  const length = rule.minLength === undefined && rule.maxLength === undefined ? 0 : [...text.trim()].length;
  if (length < (rule.minLength ?? 0) || length > (rule.maxLength ?? Number.MAX_SAFE_INTEGER))
    return undefined;
  if (pattern !== undefined && !pattern.test(text)) return undefined;
  if (rule.enum !== undefined && !rule.enum.includes(text)) return undefined;
  return text;
}

function ruleInWords(rule: FieldRule): string {
  if (rule["x-rule"] !== undefined) return rule["x-rule"];
  if (rule.type === "boolean") return "true, false, 1 or 0";
  if (rule.type === "integer") return `a whole number from ${rule.minimum ?? 0} to ${rule.maximum ?? "any"}`;
  if (rule.enum !== undefined) return `one of ${rule.enum.join(", ")}`;
  return `text of ${rule.minLength ?? 0} to ${rule.maxLength ?? "any number of"} characters, no control characters`;
}
