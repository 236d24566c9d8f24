/**
 * The public API, called through `POST /account/try` on the account's tokens, so that no key has to be in the browser.
 */
import type { Tried } from "../../../src/contract/accountResources.ts";
import type { Hint } from "../../../src/contract/hints.ts";
import type { Job, JobKind } from "../../../src/contract/jobs.ts";
import type { MatchResult, SentMatchQuery } from "../../../src/contract/matchResources.ts";
import type { PeppolCheck } from "../../../src/contract/peppol.ts";
import type { Suggestions } from "../../../src/contract/publicResources.ts";
import type { BasicCompany, BranchList, Company, SearchItem } from "../../../src/contract/resources.ts";
import type { Total } from "../../../src/contract/totals.ts";
import type { VatValidation } from "../../../src/contract/vatResources.ts";
import { type Failure, failureOf } from "./failure.ts";
import { send } from "./request.ts";

/** The result of a call, its cost, and the request as a program would send it. */
export interface Call<T> {
  readonly outcome: { readonly body: T } | { readonly failure: Failure };
  readonly cost: Cost;
  readonly request: {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: string;
    readonly body: string | undefined;
  };
  /** The unchanged response of the API. */
  readonly raw: Tried;
}

/** The body of a successful response. @throws {Failure} */
export function bodyOf<T>({ outcome }: Call<T>): T {
  if ("failure" in outcome) throw outcome.failure;
  return outcome.body;
}

export interface Cost {
  readonly charged: number;
  /** Tokens left this month, if the response says so. */
  readonly remaining: number | undefined;
}

/** An SBI code in one version. */
export interface FoundActivity {
  readonly sbiCode: string;
  readonly sbiVersion: string;
  readonly description: string;
}

/** Criteria of a search, without empty texts. */
export interface SearchQuery {
  readonly q: string;
  readonly city: string;
  readonly postalCode: string;
  readonly legalForm: string;
  readonly sbiCode: string;
  readonly sbiVersion: string;
  readonly isActive: string;
  readonly insolvent: string;
  readonly page: number;
  readonly pageSize: number;
}

export interface SearchPage extends Total {
  readonly hint?: Hint;
  readonly results: readonly SearchItem[];
  readonly page: number;
  readonly pageSize: number;
}

export type ServiceState = "up" | "degraded" | "down";

/** @param session the typing session of the call, charged once */
export const autocompletePath = (q: string, session?: string) =>
  `/v1/autocomplete?${new URLSearchParams(session === undefined ? { q } : { q, session })}`;

export const autocomplete = (q: string, session?: string) =>
  tried<Suggestions>("GET", autocompletePath(q, session));
export const lookup = (kvkNumber: string) =>
  tried<BasicCompany>("GET", `/v1/lookup/${encodeURIComponent(kvkNumber)}`);
export const lookupEnriched = (kvkNumber: string) =>
  tried<Company>("GET", `/v1/lookup/${encodeURIComponent(kvkNumber)}?enrich=true`);
export const branches = (kvkNumber: string) =>
  tried<BranchList>("GET", `/v1/lookup/${encodeURIComponent(kvkNumber)}/branches`);
export const checkPeppol = (kvkNumber: string) =>
  tried<PeppolCheck>("GET", `/v1/peppol/${encodeURIComponent(kvkNumber)}`);
/** Matches up to 100 queries. @param limit the maximum number of candidates */
export const matchQueries = (queries: readonly SentMatchQuery[], limit?: number) =>
  tried<{ readonly results: readonly MatchResult[] }>("POST", "/v1/match", {
    body: JSON.stringify({ queries, limit }),
  });
/** Starts a job for a list of JSON lines. Under the same key and with the same list it starts only once. */
export const startJob = (list: Blob, kind: JobKind, idempotencyKey: string, maxTokens?: number) => {
  const terms = { kind, ...(maxTokens !== undefined && { maxTokens: String(maxTokens) }) };
  return sent<Job>(
    { method: "POST", path: `/v1/jobs?${new URLSearchParams(terms)}`, body: undefined },
    send("POST", `/account/try/list?${new URLSearchParams({ ...terms, idempotencyKey })}`, list),
  );
};
export const readJob = (id: string) => tried<Job>("GET", `/v1/jobs/${id}`);
export const changeJob = (id: string, change: "pause" | "resume" | "cancel", maxTokens?: number) =>
  tried<Job>("POST", `/v1/jobs/${id}/${change}${maxTokens === undefined ? "" : `?maxTokens=${maxTokens}`}`);
/** Reads a range of bytes of a job's results as JSON lines, both ends included. */
export const readResults = (id: string, from: number, to: number) =>
  tried<string>("GET", `/v1/jobs/${id}/results?format=jsonl`, { range: `bytes=${from}-${to}` });
export const validateVat = (vatNumber: string) =>
  tried<VatValidation>("GET", `/v1/validate/vat/${encodeURIComponent(vatNumber)}`);

/** Finds SBI codes by words. The call is free and needs no key. */
export async function findActivities(q: string, signal: AbortSignal): Promise<readonly FoundActivity[]> {
  const answer = await fetch(`/v1/activities?${new URLSearchParams({ q })}`, { signal });
  if (!answer.ok) return [];
  const { results } = (await answer.json()) as { readonly results: readonly FoundActivity[] };
  return results;
}

export function search(criteria: SearchQuery): Promise<Call<SearchPage>> {
  const { page, pageSize, ...filters } = criteria;
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  query.set("page", String(page));
  query.set("pageSize", String(pageSize));
  return tried<SearchPage>("GET", `/v1/search?${query}`);
}

interface CallParts {
  readonly body?: string;
  readonly range?: string;
}

/** Makes a call. */
export function tried<T>(
  method: Call<T>["request"]["method"],
  path: string,
  parts: CallParts = {},
): Promise<Call<T>> {
  const request = { method, path, body: parts.body };
  return sent(request, send("POST", "/account/try", { method, path, ...parts }));
}

async function sent<T>(request: Call<T>["request"], sending: Promise<Tried>): Promise<Call<T>> {
  const raw = await sending;
  const { headers } = raw;
  const cost = {
    charged: countIn(headers["x-tokens-charged"]) ?? 0,
    remaining: countIn(headers["x-tokens-remaining"]),
  };
  const isDone = raw.status >= 200 && raw.status < 300;
  // T comes from the schema by which the API writes the body.
  const outcome = isDone
    ? { body: raw.body as T }
    : { failure: failureOf(raw.status, raw.body, { retryAfter: headers["retry-after"] }) };
  return { outcome, cost, request, raw };
}

function countIn(header: string | undefined): number | undefined {
  return header === undefined ? undefined : Number(header);
}
