import type { TLocalizedValidationError } from "typebox/error";
import { Pointer } from "typebox/value";
import type { Rejection } from "../company/rejection.ts";
import { quoted, quotedValue } from "../contract/quoting.ts";

/** Values of these fields are never shown: a VAT number can contain a citizen number. */
const SECRET = /vat/i;

/**
 * Turns the first rule of the schema that `value` breaks into a rejection: the field by its path without array
 * positions (`branches[].branchNumber`), the rule, and as detail the value that broke it.
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
    const isUnknownKey = error.keyword === "boolean";
    const known = isUnknownKey ? fieldName(error.instancePath.replace(/\/[^/]*$/, "")) : field;
    const unknown = isUnknownKey
      ? Pointer.Indices(error.instancePath).at(-1)
      : error.params.additionalProperties[0];
    return {
      reason: `a key that ${known === "" ? "the form" : known} does not have`,
      detail: quoted(unknown ?? ""),
    };
  }
  const reason = `${field} ${ruleOf(error)}`;
  return SECRET.test(field)
    ? { reason }
    : { reason, detail: `received ${quotedValue(Pointer.Get(value, error.instancePath))}` };
}

function ruleOf(error: TLocalizedValidationError): string {
  if (error.keyword === "pattern") return `must have the form ${String(error.params.pattern)}`;
  if (error.keyword === "enum") return "must be one of the codes of the contract";
  if (error.keyword === "const") return "must be true where it stands at all";
  return error.message;
}

function fieldName(path: string): string {
  return Pointer.Indices(path).reduce(
    (name, part) => (/^[0-9]+$/.test(part) ? `${name}[]` : name === "" ? part : `${name}.${part}`),
    "",
  );
}
