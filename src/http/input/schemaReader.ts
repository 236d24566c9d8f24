import type { TObject } from "typebox";
import { ApiError, type ErrorCode, invalid } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";
import { isJsonObject, isUnprintable, type JsonObject } from "../../lib/values.ts";

/**
 * The rules of a field. `x-rule` describes the rule in the error message, `x-error` is the error code of an invalid
 * value, `x-hint` adds a hint to values that match a pattern, `x-secret` omits the value from the message,
 * `x-multiline` allows tabs and line breaks, `x-kept-empty` does not take an empty text for an absent one.
 */
interface FieldRule {
  /** With a second type `null`, the value may be null. */
  readonly type?: string | readonly [string, "null"];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: FieldRule;
  readonly default?: unknown;
  readonly "x-rule"?: string;
  readonly "x-error"?: ErrorCode;
  readonly "x-hint"?: { readonly pattern: string; readonly hint: string };
  readonly "x-secret"?: boolean;
  readonly "x-multiline"?: boolean;
  readonly "x-kept-empty"?: boolean;
}

/** A rule for values of one type. */
interface TypedRule extends FieldRule {
  readonly type?: string;
}

/** A compiled rule. */
interface Field {
  readonly rule: TypedRule;
  readonly isNullable: boolean;
  readonly pattern: RegExp | undefined;
  readonly items: Field | undefined;
}

/** How values are written in a part of a request, and how errors describe that. */
export interface Notation {
  /** Returns the parsed value; undefined when it does not have the rule's type. */
  readonly parse: (type: string | undefined, sent: unknown) => unknown;
  readonly lengthOf: (text: string) => number;
  /** Decodes what may be written as text, before anything else. */
  readonly decode?: (type: string | undefined, sent: unknown) => unknown;
  /** Whether null, an empty text and an empty list count as absent where the field is optional. */
  readonly readsEmpty?: true;
  /** Values have types, so an error must name the type that was sent. */
  readonly isTyped?: true;
  /** Describes the expected value, following `must be`. */
  readonly describe: (rule: TypedRule) => string;
}

/** The sent fields, by name. */
export type Sent = Readonly<Record<string, unknown>>;

const DIGITS = /^[0-9]{1,15}$/;

/** Python writes `True`, other languages `1`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Parameters of a path or query: everything is text. */
export const TEXT: Notation = {
  parse: (type, sent) => {
    const text = String(sent);
    if (type === "boolean") return BOOLEANS.get(text.toLowerCase());
    if (type === "integer") return DIGITS.test(text) ? Number(text) : undefined;
    return text;
  },
  lengthOf: (text) => [...text.trim()].length,
  describe: (rule) => {
    if (rule.type === "boolean") return "true, false, 1 or 0";
    if (rule.type === "integer")
      return `a whole number from ${rule.minimum ?? 0} to ${rule.maximum ?? "any"}`;
    return `text of ${rule.minLength ?? 0} to ${rule.maxLength ?? "any number of"} characters, no control characters`;
  },
};

/** Fields of a JSON body. */
export const JSON_VALUES: Notation = {
  isTyped: true,
  parse: (type, sent) => {
    if (type === "integer") return Number.isSafeInteger(sent) ? sent : undefined;
    if (type === "array") return Array.isArray(sent) ? sent : undefined;
    if (type === "object") return isJsonObject(sent) ? sent : undefined;
    return typeof sent === type ? sent : undefined;
  },
  lengthOf: (text) => text.length,
  describe: (rule) => {
    if (rule.type === "boolean") return "true or false";
    if (rule.type === "array") {
      return `an array of ${rule.minItems ?? 0} to ${rule.maxItems ?? "any number of"} ${rule.items?.type ?? "string"}s`;
    }
    if (rule.type === "object") return "an object";
    if (rule.type !== "integer") return "a string";
    const isBounded = rule.minimum !== undefined || rule.maximum !== undefined;
    return isBounded
      ? `a whole number from ${rule.minimum ?? "any"} to ${rule.maximum ?? "any"}`
      : "a whole number";
  },
};

/** Fields of a JSON body of the API. Tools send null, or something empty, for what they omit. */
export const API_VALUES: Notation = {
  ...JSON_VALUES,
  readsEmpty: true,
  parse: (type, sent) => {
    const value = JSON_VALUES.parse(type, sent);
    return isJsonObject(value) ? withoutNulls(value) : value;
  },
};

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/**
 * Returns a function that validates fields by a schema and fills in defaults. The fields of nested objects are left to
 * the endpoint. It throws an ApiError that names the field, the rule and the received value.
 */
export function schemaReader(schema: TObject, notation: Notation): (sent: Sent) => Record<string, unknown> {
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    field: fieldOf(property as FieldRule),
    isRequired: schema.required?.includes(name) === true,
  }));
  return (sent) => {
    const values: Record<string, unknown> = {};
    for (const { name, field, isRequired } of fields) {
      const isOptional = !isRequired || field.rule.default !== undefined;
      const given = decoded(field, notation, sent[name]);
      const isLeftOut = isOptional && notation.readsEmpty === true && isEmpty(given, field);
      const value = isLeftOut ? undefined : given;
      if (value !== undefined) values[name] = readField(name, field, notation, value);
      else if (field.rule.default !== undefined) values[name] = field.rule.default;
      else if (isRequired) {
        throw invalid(`${name} is required: ${inWords(field, notation)}`);
      }
    }
    return values;
  };
}

function decoded({ rule }: Field, { decode }: Notation, sent: unknown): unknown {
  return decode === undefined ? sent : decode(rule.type, sent);
}

function isEmpty(sent: unknown, { rule, isNullable }: Field): boolean {
  if (sent === null) return !isNullable;
  if (typeof sent === "string") return sent.trim() === "" && rule["x-kept-empty"] !== true;
  return Array.isArray(sent) && sent.length === 0;
}

/** Returns the error for an unknown name. @param what its place and name */
export function unknownName(what: string, known: readonly string[]): ApiError {
  const names = known.length === 0 ? "none" : known.join(", ");
  return invalid(`unknown ${what}; known: ${names}`);
}

function fieldOf({ type, ...rest }: FieldRule): Field {
  const isNullable = type !== undefined && typeof type !== "string";
  const oneType = isNullable ? type[0] : type;
  const rule = { ...rest, ...(oneType !== undefined && { type: oneType }) };
  const pattern = rule.pattern === undefined ? undefined : new RegExp(rule.pattern, "u");
  const items = oneType === "array" ? fieldOf(rule.items ?? {}) : undefined;
  return { rule, isNullable, pattern, items };
}

function readField(name: string, field: Field, notation: Notation, sent: unknown): unknown {
  if (sent === null && field.isNullable) return null;
  const value = notation.parse(field.rule.type, sent);
  if (value === undefined || !obeys(value, field, notation)) {
    throw brokenRule(name, field, notation, sent);
  }
  const { items } = field;
  if (items === undefined || !Array.isArray(value)) return value;
  return value.map((item: unknown, index) =>
    readField(`${name}[${index}]`, items, notation, decoded(items, notation, item)),
  );
}

/** Whether a value of the right type satisfies the rest of its rule. */
function obeys(value: unknown, { rule, pattern }: Field, { lengthOf }: Notation): boolean {
  if (rule.enum !== undefined && !rule.enum.includes(value)) return false;
  if (typeof value === "number") return isWithin(value, rule.minimum, rule.maximum);
  if (Array.isArray(value)) return isWithin(value.length, rule.minItems, rule.maxItems);
  if (typeof value !== "string") return true;
  if (isUnprintable(value, rule["x-multiline"])) return false;
  const isBounded = rule.minLength !== undefined || rule.maxLength !== undefined;
  if (isBounded && !isWithin(lengthOf(value), rule.minLength, rule.maxLength)) return false;
  return pattern === undefined || pattern.test(value);
}

function isWithin(value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean {
  return value >= min && value <= max;
}

function brokenRule(name: string, field: Field, notation: Notation, sent: unknown): ApiError {
  const { rule } = field;
  const isOfAnotherType = notation.isTyped === true && rule.type !== "string";
  const received = rule["x-secret"] ? "" : `; received ${describeValue(sent, isOfAnotherType)}`;
  return new ApiError(
    rule["x-error"] ?? "INVALID_REQUEST",
    `${name} must be ${inWords(field, notation)}${received}${hintFor(rule, sent)}`,
  );
}

function hintFor({ "x-hint": known, "x-multiline": isMultiline }: FieldRule, sent: unknown): string {
  if (typeof sent === "string" && isUnprintable(sent, isMultiline)) {
    return "; remove control characters and lone surrogates";
  }
  const isScalar = typeof sent === "string" || typeof sent === "number";
  const isKnown = known !== undefined && isScalar && new RegExp(known.pattern).test(String(sent));
  return isKnown ? `; ${known.hint}` : "";
}

function inWords({ rule, isNullable }: Field, { describe }: Notation): string {
  const expected = rule.enum === undefined ? describe(rule) : `one of ${rule.enum.join(", ")}`;
  return `${rule["x-rule"] ?? expected}${isNullable ? ", or null" : ""}`;
}

/** Describes a received value. @param saysText whether to call a string a text, because another type was expected */
function describeValue(value: unknown, saysText = true): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "string") return saysText ? `the text ${quoted(value)}` : quoted(value);
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "number" ? `the number ${value}` : String(value);
}
