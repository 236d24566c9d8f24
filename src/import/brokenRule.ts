import type { TLocalizedValidationError } from "typebox/error";
import type { Rejection } from "../company/rejection.ts";
import { quoted } from "../contract/quoting.ts";

/** Values of these fields are never repeated: a VAT number can hold a citizen number. */
const SECRET = /vat/i;

/**
 * The first rule of the schema that `value` breaks, as a rejection: the field by its path without array positions
 * (`branches[].branchNumber`), the rule, and as detail the value that broke it.
 */
export function firstBrokenRule(errors: readonly TLocalizedValidationError[], value: unknown): Rejection {
  const error = errors[0];
  if (error === undefined) return { reason: "the line is not a company" };
  if (error.instancePath === "" && error.keyword === "type")
    return { reason: "the line is not a JSON object" };
  const field = fieldName(error.instancePath);
  if (error.keyword === "required") {
    const missing = error.params.requiredProperties.join(", ");
    return { reason: field === "" ? `${missing} is missing` : `${missing} of ${field} is missing` };
  }
  if (error.keyword === "boolean" || error.keyword === "additionalProperties") {
    const [, ...path] = error.instancePath.split("/");
    const known = error.keyword === "boolean" ? path.slice(0, -1) : path;
    const unknown = error.keyword === "boolean" ? path.at(-1) : error.params.additionalProperties[0];
    return {
      reason:
        known.length === 0
          ? "a key that the form does not have"
          : `a key that ${fieldName(`/${known.join("/")}`)} does not have`,
      detail: quoted(pointerPart(unknown ?? "")),
    };
  }
  const reason = `${field} ${ruleOf(error)}`;
  return SECRET.test(field)
    ? { reason }
    : { reason, detail: `received ${shown(valueAt(value, error.instancePath))}` };
}

function ruleOf(error: TLocalizedValidationError): string {
  if (error.keyword === "pattern") return `must have the form ${String(error.params.pattern)}`;
  if (error.keyword === "enum") return "must be one of the codes of the contract";
  if (error.keyword === "const") return "must be true where it stands at all";
  return error.message;
}

function shown(value: unknown): string {
  return quoted(typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)));
}

function fieldName(path: string): string {
  return path
    .split("/")
    .slice(1)
    .map(pointerPart)
    .reduce(
      (name, part) => (/^[0-9]+$/.test(part) ? `${name}[]` : name === "" ? part : `${name}.${part}`),
      "",
    );
}

/** The value that a JSON pointer names. */
function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const part of path.split("/").slice(1).map(pointerPart)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.entries(current).find(([key]) => key === part)?.[1];
  }
  return current;
}

function pointerPart(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
