import type { Endpoint } from "../../src/http/endpoint.ts";
import { BAKERY } from "./companies.ts";

export interface ValidCall {
  readonly method: string;
  /** Path and query; tests append to it with {@link more}. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const NO_JOB = "job_0000000000000000000000";
const NO_MONITOR = "mon_0000000000000000000000";

/** One valid call for every endpoint, with VIES up. An endpoint missing here fails the suite of every route. */
const VALID: Readonly<Record<string, Omit<ValidCall, "method">>> = {
  "GET /v1/lookup/:kvkNumber": { path: `/v1/lookup/${BAKERY}?enrich=true` },
  "GET /v1/lookup/:kvkNumber/branches": { path: `/v1/lookup/${BAKERY}/branches` },
  "POST /v1/lookup/batch": { path: "/v1/lookup/batch", body: { kvkNumbers: [BAKERY], enrich: true } },
  "GET /v1/autocomplete": { path: "/v1/autocomplete?q=fabelkorst" },
  "GET /v1/search": { path: "/v1/search?q=fabelkorst" },
  "POST /v1/match": { path: "/v1/match", body: { queries: [{ name: "Fabelkorst", kvkNumber: BAKERY }] } },
  "GET /v1/validate/vat/:vatNumber": { path: "/v1/validate/vat/NL123456782B90?maxAge=0" },
  "GET /v1/reconcile": { path: "/v1/reconcile" },
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
  "GET /v1/jobs": { path: "/v1/jobs" },
  "GET /v1/jobs/:jobId": { path: `/v1/jobs/${NO_JOB}` },
  "GET /v1/jobs/:jobId/results": { path: `/v1/jobs/${NO_JOB}/results` },
  "POST /v1/jobs/:jobId/pause": { path: `/v1/jobs/${NO_JOB}/pause` },
  "POST /v1/jobs/:jobId/resume": { path: `/v1/jobs/${NO_JOB}/resume` },
  "POST /v1/jobs/:jobId/cancel": { path: `/v1/jobs/${NO_JOB}/cancel` },
  "POST /v1/monitors": { path: "/v1/monitors", body: { kvkNumbers: [BAKERY], metadata: { debtor: "1042" } } },
  "GET /v1/monitors": { path: "/v1/monitors" },
  "GET /v1/monitors/:monitorId": { path: `/v1/monitors/${NO_MONITOR}` },
  "PATCH /v1/monitors/:monitorId": { path: `/v1/monitors/${NO_MONITOR}`, body: {} },
  "DELETE /v1/monitors/:monitorId": { path: `/v1/monitors/${NO_MONITOR}` },
  "POST /v1/monitors/:monitorId/test": { path: `/v1/monitors/${NO_MONITOR}/test` },
  "POST /v1/events/:eventId/redeliver": { path: "/v1/events/evt_0000000000000000000000/redeliver" },
  "GET /v1/changes": { path: "/v1/changes" },
  "GET /v1/event-types": { path: "/v1/event-types" },
  "GET /v1/monitor-settings": { path: "/v1/monitor-settings" },
  "PATCH /v1/monitor-settings": { path: "/v1/monitor-settings", body: { maxTokens: 200 } },
  "POST /v1/webhook-secret": { path: "/v1/webhook-secret" },
  "GET /v1/usage": { path: "/v1/usage" },
  "POST /v1/tokens": {
    path: "/v1/tokens",
    body: { origin: "https://shop.example", session: "typing-session-0001" },
  },
  "GET /v1/health": { path: "/v1/health" },
};

export function validCall({ method, path }: Pick<Endpoint, "method" | "path">): ValidCall {
  const found = VALID[`${method} ${path}`];
  if (found === undefined) throw new Error(`test/kit/validCalls.ts needs a valid call for ${method} ${path}`);
  return { method, ...found };
}

/** The path with one more parameter. */
export function withQuery(path: string, parameter: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${parameter}`;
}
