import type { TObject } from "typebox";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { BAKERY } from "./companies.ts";

export interface ValidCall {
  readonly method: string;
  /** Path and query; tests append to it with {@link more}. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Valid calls, with VIES up, where the examples of the API document are not those of the tests. */
const VALID: Readonly<Record<string, Omit<ValidCall, "method">>> = {
  "GET /v1/lookup/:kvkNumber": { path: `/v1/lookup/${BAKERY}?enrich=true` },
  "GET /v1/lookup/:kvkNumber/branches": { path: `/v1/lookup/${BAKERY}/branches` },
  "POST /v1/lookup/batch": { path: "/v1/lookup/batch", body: { kvkNumbers: [BAKERY], enrich: true } },
  "GET /v1/autocomplete": { path: "/v1/autocomplete?q=fabelkorst" },
  "GET /v1/search": { path: "/v1/search?q=fabelkorst" },
  "POST /v1/match": { path: "/v1/match", body: { queries: [{ name: "Fabelkorst", kvkNumber: BAKERY }] } },
  "GET /v1/validate/vat/:vatNumber": { path: "/v1/validate/vat/NL123456782B90?maxAge=0" },
  "GET /v1/peppol/:kvkNumber": { path: `/v1/peppol/${BAKERY}` },
  "POST /v1/reconcile": {
    path: "/v1/reconcile",
    body: `queries=${encodeURIComponent('{"q0":{"query":"Bakkerij De Fabelkorst"}}')}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  "GET /v1/reconcile/suggest/entity": { path: "/v1/reconcile/suggest/entity?prefix=fabelkorst" },
  "GET /v1/reconcile/suggest/property": { path: "/v1/reconcile/suggest/property?prefix=city" },
  "GET /v1/reconcile/suggest/type": { path: "/v1/reconcile/suggest/type?prefix=company" },
  "GET /v1/reconcile/preview": { path: `/v1/reconcile/preview?id=${BAKERY}` },
  "GET /v1/reconcile/properties": { path: "/v1/reconcile/properties?type=company" },
  "POST /v1/jobs": {
    path: "/v1/jobs?kind=lookup&dryRun=true",
    body: `"${BAKERY}"`,
    headers: { "content-type": "application/x-ndjson" },
  },
  "POST /v1/monitors": { path: "/v1/monitors", body: { kvkNumbers: [BAKERY], metadata: { debtor: "1042" } } },
  "PATCH /v1/monitor-settings": { path: "/v1/monitor-settings", body: { maxTokens: 200 } },
  "POST /v1/tokens": {
    path: "/v1/tokens",
    body: { origin: "https://shop.example", session: "typing-session-0001" },
  },
};

/** A valid call of an endpoint. Without one above it has the examples of the required input. */
export function validCall({ method, path, schema }: Pick<Endpoint, "method" | "path" | "schema">): ValidCall {
  const found = VALID[`${method} ${path}`];
  if (found !== undefined) return { method, ...found };
  const { params, querystring, body } = schema;
  const inPath = examplesIn(params);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => String(inPath[name]));
  const query = Object.entries(examplesIn(querystring)).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return {
    method,
    path: [filled, ...query].reduce(withQuery),
    ...(body !== undefined && { body: examplesIn(body) }),
  };
}

/** The first example of each required field. */
function examplesIn(part: TObject | undefined): Readonly<Record<string, unknown>> {
  const fields = Object.entries(part?.properties ?? {}).filter(
    ([name, field]) => part?.required?.includes(name) === true && !("default" in field),
  );
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const { examples = [] }: { examples?: readonly unknown[] } = field;
      return [name, examples[0]];
    }),
  );
}

/** The path with one more parameter. */
export function withQuery(path: string, parameter: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${parameter}`;
}
