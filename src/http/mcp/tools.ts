import type { Tool as ToolDescription } from "@modelcontextprotocol/server";
import type { TObject } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { MATCH_BOUNDS } from "../../contract/matchResources.ts";
import { MONITOR_BOUNDS } from "../../contract/monitors.ts";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import { MAX_ROWS } from "../../contract/totals.ts";
import { isJsonObject, type JsonObject } from "../../lib/values.ts";
import type { EndpointSchema, Input, KeyedEndpoint } from "../endpoint.ts";
import { branches } from "../endpoints/branches.ts";
import { lookup } from "../endpoints/lookup.ts";
import { match } from "../endpoints/match.ts";
import { changes } from "../endpoints/monitors/changes.ts";
import { addMonitors, listMonitors } from "../endpoints/monitors/monitors.ts";
import { search } from "../endpoints/search.ts";
import { usage } from "../endpoints/usage.ts";
import { validate } from "../endpoints/validate.ts";
import { JSON_VALUES, type Notation, schemaReader, TEXT, unknownName } from "../input/schemaReader.ts";
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

/** The definition of a tool; the rest comes from its endpoint. */
interface Stated {
  readonly name: string;
  readonly title: string;
  readonly endpoint: KeyedEndpoint;
  readonly description: string;
  /** False if the tool calls neither KVK nor VIES. */
  readonly isOpenWorld?: boolean;
  /** True if the tool changes the account. A repeated call has no further effect. */
  readonly isChanging?: boolean;
}

const FREE_WHEN_NOT = "Errors cost nothing.";

/**
 * Autocomplete is not a tool: search answers the same question at the same price, and models choose badly between two similar tools. A batch
 * is not a tool either: models have lists of names, which they can match, rather than of KVK numbers.
 */
const STATED: readonly Stated[] = [
  {
    name: "lookup_company",
    title: "Look up a Dutch company",
    endpoint: lookup,
    description: `One company of the Dutch company registry by its KVK number of eight digits. Basic: name, address and whether it is active; costs ${PRICES.lookup} token. With enrich true: all known data, including activities, legal form, trading names and the verdict on its VAT number; costs ${PRICES["lookup.enriched"]} tokens, ${PRICE_WITHOUT_ENRICHMENT} when neither activities nor a verdict could be added. If only a name is known, find the number with search_companies first. ${FREE_WHEN_NOT}`,
  },
  {
    name: "search_companies",
    title: "Search Dutch companies",
    endpoint: search,
    description: `Companies of the Dutch registry by name (also misspelled), city, postal code, legal form or SBI code, best first, one row per company with its KVK number. At least one criterion is required; page × pageSize is at most ${MAX_ROWS}. Costs ${PRICES.search} token, also when nothing is found. ${FREE_WHEN_NOT}`,
  },
  {
    name: "match_companies",
    title: "Match names to Dutch companies",
    endpoint: match,
    description: `The company meant by each name of a list: 1 to ${MATCH_BOUNDS.maxQueries} queries, each with a name, an address or a number, preferably with a city. Read decision first: matched means that the candidate with match true is the company; ambiguous means that a person must choose between the candidates; none means that it is probably not in the registry. Use search_companies to explore, this tool to identify. Costs ${PRICES.match} token for each valid query, also when nothing is found. A query with an error does not affect the others. ${FREE_WHEN_NOT}`,
  },
  {
    name: "list_branches",
    title: "List the branches of a Dutch company",
    endpoint: branches,
    description: `Every branch (vestiging) of one company by its KVK number, the main one first. Costs ${PRICES.branches} tokens. ${FREE_WHEN_NOT}`,
  },
  {
    name: "validate_vat_number",
    title: "Validate an EU VAT number",
    endpoint: validate,
    description: `Checks a Dutch or other EU VAT number with VIES. Read status before valid: validated is the current answer, stale is an earlier answer, because VIES does not answer now, and malformed is a number that no member state issues. An outage is the error UPSTREAM_ERROR, never "not valid". Costs ${PRICES.validate} token. ${FREE_WHEN_NOT}`,
  },
  {
    name: "add_monitors",
    title: "Monitor Dutch companies for changes",
    endpoint: addMonitors,
    description: `Monitors up to ${MONITOR_BOUNDS.maxNumbers} companies by their KVK numbers: from now on their changes (name, address, legal form, activities, branches, deregistration, insolvency) appear in list_changes. If a company has a monitor, the given fields are changed. Adding is free; each change that is reported costs ${PRICES["monitors.change"]} token.`,
    isOpenWorld: false,
    isChanging: true,
  },
  {
    name: "list_monitors",
    title: "List monitored companies",
    endpoint: listMonitors,
    description:
      "The monitored companies, oldest first, with the status of each monitor. If next is present, call again with it as after. Costs no tokens.",
    isOpenWorld: false,
  },
  {
    name: "list_changes",
    title: "List changes of monitored companies",
    endpoint: changes,
    description:
      "The changes of monitored companies, oldest first, each with the fields before and now. Call again with next as after, until no events are returned. Keep next to see only newer changes later. Costs no tokens.",
    isOpenWorld: false,
  },
  {
    name: "show_usage",
    title: "Show tokens and limits",
    endpoint: usage,
    description: `The plan of the account, the tokens left this month, the calls left this minute and the usage of each operation. Free; counts towards the rate limit.`,
    isOpenWorld: false,
  },
];

/** Models may send a text, a number or a boolean where HTTP sends text. */
const ARGUMENTS: Notation = {
  ...TEXT,
  parse: (type, sent) => {
    if (isNested(type)) return JSON_VALUES.parse(type, sent);
    return ["string", "number", "boolean"].includes(typeof sent) ? TEXT.parse(type, sent) : undefined;
  },
  describe: (rule) => (isNested(rule.type) ? JSON_VALUES : TEXT).describe(rule),
};

function isNested(type: string | undefined): boolean {
  return type === "array" || type === "object";
}

let toolsByName: ReadonlyMap<string, Tool> | undefined;

/** Returns every tool by name, in order. Created on first use, because most services have no MCP hosts. */
export function tools(): ReadonlyMap<string, Tool> {
  toolsByName ??= new Map(STATED.map((stated) => [stated.name, toolOf(stated)]));
  return toolsByName;
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

function toolOf({
  name,
  title,
  endpoint,
  description,
  isOpenWorld = true,
  isChanging = false,
}: Stated): Tool {
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
    const sent = withoutNulls(args);
    return {
      params: readParams?.(sent) ?? {},
      query: readQuery?.(sent) ?? {},
      body: readBody?.(sent) ?? {},
    };
  };
}

/** Returns an object without null fields, at any depth: models send null for what they omit. */
function withoutNulls(object: JsonObject): JsonObject {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return isJsonObject(value) ? withoutNulls(value) : value;
  };
  const fields = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, inside(value)]));
}

/** @throws {ApiError} INVALID_REQUEST for the first unknown argument */
function rejectUnknown(args: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownName(`argument ${quoted(unknown)}`, known);
}

/** Wraps a remote caller of tools: unknown arguments are refused here, because an older server would ignore them silently. */
export function knowingArguments(callTool: CallTool): CallTool {
  return async (name, args) => {
    const properties = tools().get(name)?.description.inputSchema["properties"];
    try {
      rejectUnknown(args, Object.keys({ ...Object(properties) }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { error: { code: error.code, message: error.message }, meta: {} };
    }
    return callTool(name, args);
  };
}

/** A JSON Schema (2020-12) of an object. */
type ObjectSchema = { readonly type: "object" } & Readonly<Record<string, unknown>>;

/** Returns the schema of a tool's arguments: all inputs of its endpoint as fields of one object. */
function inputSchemaOf(schema: EndpointSchema): ObjectSchema {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const { definitions, onRef } = collectDefinitions();
  for (const part of partsOf(schema)) {
    for (const [name, property] of Object.entries(part.properties)) {
      properties[name] = publicSchema(property, onRef);
      // A field with a default is optional.
      if (part.required?.includes(name) === true && !("default" in property)) required.push(name);
    }
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...withDefinitions(definitions),
  };
}

/** Returns the parts of a request that have a schema. */
function partsOf({ params, querystring, body }: EndpointSchema): readonly TObject[] {
  return [params, querystring, body].filter((part) => part !== undefined);
}

/** Returns the schema of a tool's result: the endpoint's response with its referenced resources. */
function outputSchemaOf({ response }: EndpointSchema): ObjectSchema {
  const { definitions, onRef } = collectDefinitions();
  const root = publicSchema(resolved(response), onRef);
  return { ...root, type: "object", ...withDefinitions(definitions) };
}

/** Returns a function that collects the referenced resources, and theirs. */
function collectDefinitions() {
  const definitions: Record<string, unknown> = {};
  const onRef = (name: string) => {
    if (name in definitions) return;
    // A placeholder, because resources may refer to themselves.
    definitions[name] = {};
    definitions[name] = publicSchema(resourceNamed(name), onRef);
  };
  return { definitions, onRef };
}

function withDefinitions(definitions: Readonly<Record<string, unknown>>): { readonly $defs?: object } {
  return Object.keys(definitions).length > 0 ? { $defs: definitions } : {};
}

/** Follows a reference to a schema. */
function resolved(schema: object): object {
  return "$ref" in schema ? resourceNamed(nameIn(schema.$ref)) : schema;
}

function nameIn(ref: unknown): string {
  return String(ref).replace(/#$/, "");
}

function resourceNamed(name: string): object {
  const found = NAMED_SCHEMAS.find((schema) => "$id" in schema && schema.$id === name);
  if (found === undefined) throw new Error(`unknown resource ${name}`);
  return found;
}

/** Returns a schema without our extensions, its references pointing into the same document. */
function publicSchema(schema: object, onRef: (name: string) => void): object {
  const text = JSON.stringify(schema, (word, value: unknown) => {
    if (word === "$id" || word.startsWith("x-")) return undefined;
    if (word !== "$ref") return value;
    const name = nameIn(value);
    onRef(name);
    return `#/$defs/${name}`;
  });
  return JSON.parse(text);
}
