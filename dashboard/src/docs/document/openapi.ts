/** The parts of the API document (OpenAPI 3.1) that the page shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly security: readonly object[];
  readonly "x-price": Price;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Price {
  readonly tokens: number;
  /** How the price of a call follows, if it is not always `tokens`. */
  readonly rule?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Schema {
  readonly $ref?: string;
  /** The second type of two is `null`. */
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly (string | number | boolean)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** The rule in words. */
  readonly "x-rule"?: string;
}

/** One call of the API. */
export interface Operation extends Pick<Described, "summary" | "description"> {
  readonly id: string;
  readonly method: Method;
  /** With path parameters as `{names}`. */
  readonly path: string;
  readonly tag: string;
  readonly needsKey: boolean;
  /** Its price in tokens, or the rule of its price. */
  readonly price: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** The media types of its body and its response. */
  readonly bodyTypes: readonly string[];
  readonly bodyType: string;
  readonly answerTypes: readonly string[];
  readonly answerType: string;
  /** The statuses of successful responses. */
  readonly statuses: readonly string[];
  /** The description of a body that is not JSON. */
  readonly bodyExample: unknown;
  readonly answer: Schema;
  readonly errors: readonly { readonly status: string; readonly codes: readonly string[] }[];
}

export const JSON_TYPE = "application/json";
const METHODS: readonly Method[] = ["GET", "POST", "PATCH", "DELETE"];
const LOCATION_ORDER = { path: 0, query: 1, header: 2 } as const;

/** Returns the calls of a document, in its order. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  );
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, summary, description, tags, parameters = [], requestBody, responses } = described;
  const { "x-price": price } = described;
  const bodies = Object.entries(requestBody?.content ?? {});
  const answers = Object.entries(responses["200"]?.content ?? { [JSON_TYPE]: { schema: {} } });
  const [bodyType = JSON_TYPE, sent] = bodies[0] ?? [];
  const [answerType = JSON_TYPE, answered] = answers[0] ?? [];
  const statuses = Object.keys(responses);
  return {
    id: operationId,
    method: METHODS.find((name) => name.toLowerCase() === method) ?? "GET",
    path,
    summary,
    description,
    tag: tags[0] ?? "",
    needsKey: described.security.length > 0,
    price: price.rule ?? String(price.tokens),
    parameters: [...parameters].sort((a, b) => LOCATION_ORDER[a.in] - LOCATION_ORDER[b.in]),
    body: sent?.schema,
    bodyType,
    bodyTypes: bodies.map(([type]) => type),
    answerTypes: answers.map(([type]) => type),
    statuses: statuses.filter((status) => status.startsWith("2")),
    bodyExample: sent?.example,
    answerType,
    answer: answered?.schema ?? {},
    errors: statuses
      .filter((status) => Number(status) >= 400)
      .map((status) => ({ status, codes: responses[status]?.description.match(/\b[A-Z_]{3,}\b/g) ?? [] })),
  };
}

/** Resolves a schema's reference to the named schema; returns other schemas unchanged. */
export function resolve(
  document: ApiDocument,
  schema: Schema,
): { readonly name?: string; readonly schema: Schema } {
  const name = schema.$ref?.split("/").at(-1);
  const referred = name === undefined ? undefined : document.components.schemas[name];
  return name === undefined || referred === undefined ? { schema } : { name, schema: referred };
}
