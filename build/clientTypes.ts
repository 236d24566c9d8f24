/** Writes the types of `client/src/api` out of what the contract states: the resources and the calls of the API document. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ERROR_CODES } from "../src/contract/errors.ts";
import { describeApi } from "../src/http/describeApi.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { isJsonObject } from "../src/lib/values.ts";

/** What the client calls each call: its query becomes `…Query`, an answer that is no named resource `…Answer`. */
const CALLS: Readonly<Record<string, string>> = {
  "get /v1/lookup/{kvkNumber}": "Lookup",
  "get /v1/lookup/{kvkNumber}/branches": "Branches",
  "post /v1/lookup/batch": "Batch",
  "get /v1/autocomplete": "Autocomplete",
  "get /v1/search": "Search",
  "get /v1/validate/vat/{vatNumber}": "VatValidation",
  "get /v1/usage": "Usage",
  "post /v1/jobs": "Submit",
  "get /v1/jobs": "Jobs",
  "get /v1/jobs/{jobId}/results": "Results",
  "post /v1/jobs/{jobId}/resume": "Resume",
  "post /v1/webhook-secret": "WebhookSecret",
  "get /v1/health": "Health",
};

type Schema = Readonly<Record<string, unknown>>;

const HEAD = "Written by `npm run openapi` out of the contract. Do not edit.";
const FOLDER = fileURLToPath(new URL("../client/src/api/", import.meta.url));

/** The files of `client/src/api` by their names, as they should be. */
export async function clientTypes(): Promise<Readonly<Record<string, string>>> {
  const document = await describeApi(ENDPOINTS);
  const schemas = objectAt(document, "components", "schemas");
  const resources = Object.entries(schemas)
    .filter(([name]) => name !== "Error")
    .map(([name, schema]) => declaration(name, asSchema(schema)));
  const calls = Object.entries(CALLS).flatMap(([call, name]) => declarationsOf(document, call, name));
  return {
    "resources.ts": [`/** What the service tells. ${HEAD} */`, ...resources].join("\n\n").concat("\n"),
    "calls.ts": [
      `/** What the service is asked, and what it answers that is no resource. ${HEAD} */\nimport type { ${namesIn(calls, Object.keys(schemas)).join(", ")} } from "./resources.ts";`,
      ...calls,
      `/** The codes of errors that the service of this release answers with. */\nexport type ErrorCode =\n${ERROR_CODES.map((code) => `  | "${code}"`).join("\n")};`,
    ]
      .join("\n\n")
      .concat("\n"),
  };
}

function declarationsOf(document: object, call: string, name: string): string[] {
  const [method = "", path = ""] = call.split(" ");
  const operation = objectAt(document, "paths", path, method);
  const summary = String(operation["summary"]);
  const query = (Array.isArray(operation["parameters"]) ? operation["parameters"] : [])
    .map(asSchema)
    .filter((parameter) => parameter["in"] === "query");
  const { "application/json": json } = objectAt(operation, "responses", "200", "content");
  const answer = json === undefined ? undefined : objectAt(asSchema(json), "schema");
  return [
    ...(query.length === 0 ? [] : [queryDeclaration(`${name}Query`, summary, query)]),
    // What is a resource has its name, and what is no JSON no type.
    ...(answer === undefined || "$ref" in answer
      ? []
      : [declaration(`${name}Answer`, { description: `${summary}.`, ...answer })]),
  ];
}

function queryDeclaration(name: string, summary: string, parameters: readonly Schema[]): string {
  const properties = parameters.map((parameter) => [
    String(parameter["name"]),
    { ...asSchema(parameter["schema"]), description: parameter["description"] },
  ]);
  const required = parameters.filter((one) => one["required"] === true).map((one) => one["name"]);
  const schema = { properties: Object.fromEntries(properties), required };
  const text = declaration(name, { description: `${summary}: what may be given.`, ...schema });
  // Callers write what they leave out as undefined too, however strict their compiler is.
  return text.replace(/(\?: .+);$/gm, "$1 | undefined;");
}

function declaration(name: string, schema: Schema): string {
  return `${comment(schema, "")}export interface ${name} ${fields(schema, "")}`;
}

/** The fields of an object in braces, each behind its description. */
function fields(schema: Schema, indent: string): string {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const inner = `${indent}  `;
  const lines = Object.entries(objectAt(schema, "properties")).map(([name, given]) => {
    const field = asSchema(given);
    const mark = required.includes(name) ? "" : "?";
    const type = typeOf(field, inner);
    return `${comment(field, inner)}${inner}readonly ${name}${mark}: ${type};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** @throws {TypeError} for a schema of a kind that no part of the contract has had yet */
function typeOf(schema: Schema, indent: string): string {
  const { $ref: ref, enum: words, const: constant, type } = schema;
  if (typeof ref === "string") return ref.slice(ref.lastIndexOf("/") + 1);
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(" | ");
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === "array") return arrayOf(typeOf(asSchema(schema["items"]), indent));
  if (type === "object" && "properties" in schema) return fields(schema, indent);
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean") return type;
  throw new TypeError(`no type is known for ${JSON.stringify(schema)}`);
}

function arrayOf(type: string): string {
  return type.includes(" | ") && !type.startsWith("{") ? `readonly (${type})[]` : `readonly ${type}[]`;
}

function comment(schema: Schema, indent: string): string {
  const { description } = schema;
  if (typeof description !== "string") return "";
  return `${indent}/** ${description.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n`;
}

/** Which of some types the text of some declarations names. */
function namesIn(declarations: readonly string[], names: readonly string[]): string[] {
  const text = declarations.join("\n").replace(/\/\*\*.*?\*\//g, "");
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
}

function asSchema(value: unknown): Schema {
  if (!isJsonObject(value)) throw new TypeError(`no schema: ${JSON.stringify(value)}`);
  return value;
}

function objectAt(from: object, ...names: readonly string[]): Schema {
  return names.reduce<Schema>((object, name) => asSchema(object[name]), { ...from });
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await clientTypes())) writeFileSync(FOLDER + name, text);
}
