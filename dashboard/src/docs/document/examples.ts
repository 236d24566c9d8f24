import {
  type ApiDocument,
  JSON_TYPE,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
} from "./openapi.ts";

/** The input of a call: texts by parameter, as typed, and the body. */
export interface Values {
  readonly path: Readonly<Record<string, string>>;
  /** Empty ones are not sent. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A parameter that a reader can fill in: one of the path or the query. */
export type FieldParameter = Parameter & { readonly in: keyof Pick<Values, "path" | "query"> };

/** Returns the path and query parameters of a call. */
export function fieldParameters({ parameters }: Pick<Operation, "parameters">): readonly FieldParameter[] {
  return parameters.filter((parameter): parameter is FieldParameter => parameter.in !== "header");
}

/** Optional parameters that are filled in at first, because they show the purpose of the call. */
const SHOWN_FIRST: Readonly<Record<string, readonly string[]>> = {
  "get-v1-search": ["q"],
  "post-v1-jobs-jobId-resume": ["maxTokens"],
};

/** Returns the example of a parameter as text. */
export function exampleOf({ example, examples = {} }: Parameter): string {
  const first = Object.values(examples)[0]?.value;
  return String(example ?? first ?? "");
}

/** The document's examples, which the demo knows, and those that every test key knows instead. */
const TEST_EXAMPLES: readonly (readonly [live: string, test: string])[] = [
  ["51234567", "99990001"],
  ["09876543", "00099990"],
  ["NL912345603B01", "NL999990007B01"],
  ["gouden korenaar", "testbakkerij de proef"],
  ["gouden kore", "testbakkerij"],
  ["Bakkerij de Goude Korenaar BV", "Testbakkerij de Proef BV"],
];

/** Returns the values with the examples that suit a kind of key. Other values stay. */
export function forKey(values: Values, isTest: boolean): Values {
  const swapped = TEST_EXAMPLES.reduce(
    (text, [live, test]) => (isTest ? text.replaceAll(live, test) : text.replaceAll(test, live)),
    JSON.stringify(values),
  );
  return JSON.parse(swapped) as Values;
}

/**
 * Returns the required input of a call, with the document's examples. The ids of a reader's own lists and monitors are
 * empty.
 */
export function firstValues(document: ApiDocument, operation: Operation): Values {
  const { parameters, id } = operation;
  const of = (place: FieldParameter["in"], isFilled: (parameter: Parameter) => boolean) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter) => [parameter.name, isFilled(parameter) ? exampleOf(parameter) : ""]),
    );
  return {
    path: of("path", ({ name }) => !name.endsWith("Id")),
    query: of("query", ({ required, name }) => required === true || SHOWN_FIRST[id]?.includes(name) === true),
    body: bodyOf(document, operation),
  };
}

function bodyOf(document: ApiDocument, { body, bodyType, bodyExample }: Operation): string | undefined {
  if (body === undefined) return undefined;
  if (bodyType !== JSON_TYPE) return String(bodyExample ?? "");
  return JSON.stringify(requiredOf(document, body), null, 2);
}

/** Returns a body with examples of the required fields. */
function requiredOf(document: ApiDocument, body: Schema): unknown {
  const { properties = {}, required = [] } = resolve(document, body).schema;
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0]]));
}

/** Returns the path and query of a call with these values. Examples replace empty parts of the path. */
export function pathOf({ path, parameters }: Pick<Operation, "path" | "parameters">, values: Values): string {
  const examples = new Map(parameters.map((parameter) => [parameter.name, exampleOf(parameter)]));
  const filled = path.replace(/\{([A-Za-z]+)\}/g, (_, name: string) =>
    encodeURIComponent(values.path[name] || (examples.get(name) ?? "")),
  );
  const query = new URLSearchParams(
    Object.entries(values.query).filter(([, value]) => value !== ""),
  ).toString();
  return query === "" ? filled : `${filled}?${query}`;
}
