import type { Tool as ToolDescription } from "@modelcontextprotocol/server";
import type { TObject } from "typebox";
import { quoted } from "../../contract/quoting.ts";
import { isJsonObject } from "../../lib/values.ts";
import type { EndpointSchema, Input, KeyedEndpoint, ToolDefinition } from "../endpoint.ts";
import { ENDPOINTS } from "../endpoints/all.ts";
import { API_VALUES, type Notation, schemaReader, TEXT, unknownName } from "../input/schemaReader.ts";
import { NAMED_SCHEMAS, writerOf } from "../namedSchemas.ts";

/** The facts that a host gets about this server. */
export interface McpFacts {
  readonly name: string;
  readonly version: string;
  /** Instructions that a model reads before its first call. */
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
}

/** The outcome of a tool call: a JSON object by the tool's output schema, or an error. */
export type ToolOutcome = (
  | { readonly text: string }
  // The code is one of the contract, or of a proxy in between.
  | {
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly retryAfterSeconds?: number;
      };
    }
) & {
  /** The protocol's `_meta`: the cost of the call and the remaining tokens. */
  readonly meta: Readonly<Record<string, string | number>>;
};

/** Calls an existing tool and charges it. */
export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;

/** A tool and the endpoint that does its work. */
export interface Tool {
  /** The description for hosts. */
  readonly description: ToolDescription;
  readonly endpoint: KeyedEndpoint;
  /** Writes a body by the endpoint's schema. */
  readonly serialize: (body: object) => string;
  /** Converts arguments to the endpoint's input. @throws {ApiError} for the first invalid argument */
  readonly read: (args: Readonly<Record<string, unknown>>) => Input;
}

/** Models may send a text, a number or a boolean where HTTP sends text, and write arrays and objects as JSON text. */
const ARGUMENTS: Notation = {
  ...TEXT,
  readsEmpty: true,
  decode: (type, sent) => (isNested(type) && typeof sent === "string" ? jsonIn(sent) : sent),
  parse: (type, sent) => {
    if (isNested(type)) return withTexts(API_VALUES.parse(type, sent));
    return ["string", "number", "boolean"].includes(typeof sent) ? TEXT.parse(type, sent) : undefined;
  },
  describe: (rule) => (isNested(rule.type) ? API_VALUES : TEXT).describe(rule),
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every field of a nested object is a text. */
function withTexts(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const isScalar = (field: unknown) => typeof field === "number" || typeof field === "boolean";
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isScalar(field) ? String(field) : field]),
  );
}

function isNested(type: string | undefined): boolean {
  return type === "array" || type === "object";
}

let toolsByName: ReadonlyMap<string, Tool> | undefined;

/** Returns every tool by name, in order. Created on first use, because most services have no MCP hosts. */
export function tools(): ReadonlyMap<string, Tool> {
  toolsByName ??= new Map(inOrder().map((endpoint) => [endpoint.tool.name, toolOf(endpoint)]));
  return toolsByName;
}

type ToolEndpoint = KeyedEndpoint & { readonly tool: ToolDefinition };

/** Returns the endpoints that are tools, in the order of the list. */
function inOrder(): readonly ToolEndpoint[] {
  const all = ENDPOINTS.filter((endpoint): endpoint is ToolEndpoint => "tool" in endpoint);
  const indexOf = (name: string) => all.findIndex(({ tool }) => tool.name === name);
  const placeOf = ({ tool: { name, after } }: ToolEndpoint) =>
    after === undefined ? indexOf(name) : indexOf(after) + 0.5;
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Returns the facts about this service for hosts. */
export function mcpFacts(version: string): McpFacts {
  return {
    name: "opzoek",
    version,
    instructions:
      "The Dutch company registry and EU VAT numbers. Each tool states its cost in tokens of a monthly allowance; show_usage shows what is left. An error's message says what to do; retry after retryAfterSeconds. KVK numbers are strings of eight digits, including leading zeros.",
    tools: [...tools().values()].map(({ description }) => description),
  };
}

function toolOf(endpoint: ToolEndpoint): Tool {
  const { name, title, description, isOpenWorld = true, isChanging = false } = endpoint.tool;
  return {
    endpoint,
    serialize: writerOf(endpoint.schema.response),
    description: {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(endpoint.schema),
      outputSchema: outputSchemaOf(endpoint.schema),
      annotations: {
        readOnlyHint: !isChanging,
        destructiveHint: false,
        // A repeated call of the others may be charged again.
        idempotentHint: isChanging,
        openWorldHint: isOpenWorld,
      },
    },
    read: argumentReader(endpoint),
  };
}

/** Reads arguments by the endpoint's rules for the same values over HTTP. */
function argumentReader({ schema }: KeyedEndpoint): Tool["read"] {
  const { params, querystring, body } = schema;
  const known = partsOf(schema).flatMap((part) => Object.keys(part.properties));
  const readParams = params && schemaReader(params, ARGUMENTS);
  const readQuery = querystring && schemaReader(querystring, ARGUMENTS);
  const readBody = body && schemaReader(body, ARGUMENTS);
  return (args) => {
    rejectUnknown(args, known);
    return {
      params: readParams?.(args) ?? {},
      query: readQuery?.(args) ?? {},
      body: readBody?.(args) ?? {},
    };
  };
}

/** @throws {ApiError} INVALID_REQUEST for the first unknown argument */
function rejectUnknown(args: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownName(`argument ${quoted(unknown)}`, known);
}

/** A JSON Schema (2020-12) of an object. */
type ObjectSchema = { readonly type: "object" } & Readonly<Record<string, unknown>>;

/** Returns the schema of a tool's arguments: all inputs of its endpoint as fields of one object. */
function inputSchemaOf(schema: EndpointSchema): ObjectSchema {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const part of partsOf(schema)) {
    for (const [name, property] of Object.entries(part.properties)) {
      properties[name] = publicSchema(property);
      // A field with a default is optional.
      if (part.required?.includes(name) === true && !("default" in property)) required.push(name);
    }
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Returns the parts of a request that have a schema. */
function partsOf({ params, querystring, body }: EndpointSchema): readonly TObject[] {
  return [params, querystring, body].filter((part) => part !== undefined);
}

/** Returns the schema of a tool's result: the endpoint's response with its resources. */
function outputSchemaOf({ response }: EndpointSchema): ObjectSchema {
  return { ...publicSchema(response), type: "object" };
}

/** Follows a reference to a resource. */
function resolved(schema: object): object {
  if (!("$ref" in schema)) return schema;
  const name = String(schema.$ref).replace(/#$/, "");
  const found = NAMED_SCHEMAS.find((one) => "$id" in one && one.$id === name);
  if (found === undefined) throw new Error(`unknown resource ${name}`);
  return found;
}

/**
 * Returns a schema with resources in place of references to them, and without our extensions: many hosts accept few of
 * the words of JSON Schema.
 */
function publicSchema(schema: object): object {
  const text = JSON.stringify(schema, (word, value: unknown) => {
    if (word === "$id" || word === "propertyNames" || word.startsWith("x-")) return undefined;
    return isJsonObject(value) ? resolved(value) : value;
  });
  return JSON.parse(text);
}
