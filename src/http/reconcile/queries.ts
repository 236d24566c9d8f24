/** Reconciliation queries: matches names and other data to companies. */
import { ApiError, invalid } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import { isJsonObject, type JsonObject, known } from "../../lib/values.ts";
import { type InvalidQuery, readQuery, type SentQuery } from "../../match/readQuery.ts";
import type { MatchQuery, RankedCandidate, Ranking } from "../../match/types.ts";
import type { Delivered, HandlerResult, Services } from "../endpoint.ts";
import { unknownName } from "../input/schemaReader.ts";
import { deliverMatches } from "../matching.ts";
import { COMPANY_TYPE, QUERY_PROPERTIES } from "./properties.ts";

export const MAX_QUERIES = 100;
const MAX_CANDIDATES = 10;
const DEFAULT_CANDIDATES = 5;

/** The members of a query (specification, section 4.3). */
const MEMBERS = ["query", "type", "limit", "properties", "type_strict"];
const PROPERTY_IDS = QUERY_PROPERTIES.map(({ id }) => id);

interface ReadQuery {
  /** The caller's own id. */
  readonly id: string;
  readonly limit: number;
  readonly query: MatchQuery | InvalidQuery;
}

/** A batch of queries in the order of the request. */
export interface QueryBatch {
  readonly kind: "queries";
  readonly queries: readonly ReadQuery[];
}

/**
 * Reads a batch. A malformed query, or one with unusable values, fails only its own result.
 * @throws {ApiError} INVALID_REQUEST for a batch without queries or with too many
 */
export function readQueries(batch: JsonObject): QueryBatch {
  const entries = Object.entries(batch);
  if (entries.length === 0 || entries.length > MAX_QUERIES) {
    throw invalid(`queries must have 1 to ${MAX_QUERIES} queries; received ${entries.length}`);
  }
  return {
    kind: "queries",
    queries: entries.map(([id, sent]) => ({ id, ...readAlone(sent, `queries.${quoted(id)}`) })),
  };
}

/** Reads a query; what is wrong with it is its result. */
function readAlone(sent: unknown, place: string): Omit<ReadQuery, "id"> {
  try {
    if (!isJsonObject(sent)) throw invalid(`${place} must be an object`);
    return { limit: limitOf(sent["limit"], place), query: readOne(sent, place) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { limit: DEFAULT_CANDIDATES, query: { code: "INVALID_REQUEST", message: error.message } };
  }
}

function readOne(sent: JsonObject, place: string): MatchQuery | InvalidQuery {
  const unknown = Object.keys(sent).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw unknownName(`member ${quoted(unknown)} of ${place}`, MEMBERS);
  const { query: name, type, properties = [] } = sent;
  if (name !== undefined && typeof name !== "string") {
    throw invalid(`${place}.query must be a string`);
  }
  if (!Array.isArray(properties)) {
    throw invalid(`${place}.properties must be an array`);
  }
  const fields = Object.fromEntries(properties.map((property: unknown) => readProperty(property, place)));
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.includes(COMPANY_TYPE.id)) {
    return { code: "INVALID_REQUEST", message: `type must be ${COMPANY_TYPE.id}` };
  }
  return readQuery({ ...fields, name });
}

function readProperty(property: unknown, place: string): [keyof SentQuery, string | undefined] {
  const { pid, v } = isJsonObject(property) ? property : {};
  if (typeof pid !== "string" || v === undefined) {
    throw invalid(`${place}.properties must be objects with pid and v`);
  }
  const id = PROPERTY_IDS.find((known) => known === pid);
  if (id === undefined) throw unknownName(`property ${quoted(pid)} in ${place}`, PROPERTY_IDS);
  const texts = [v].flat().map(textOf);
  if (texts.includes(undefined)) {
    throw invalid(`${place}: v of ${id} must be a string, a number, a boolean or an object with id`);
  }
  return [id, texts.find((text) => text?.trim() !== "")];
}

/** Returns the text of a property value; undefined for an invalid one. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!isJsonObject(value) || typeof value["id"] !== "string") return undefined;
  return typeof value["name"] === "string" ? value["name"] : value["id"];
}

/** Larger limits than the maximum are reduced to it; OpenRefine sends 0 for the default. */
function limitOf(limit: unknown = 0, place: string): number {
  if (typeof limit !== "number") throw invalid(`${place}.limit must be a number`);
  return limit < 1 ? DEFAULT_CANDIDATES : Math.min(MAX_CANDIDATES, Math.floor(limit));
}

const isValid = (query: MatchQuery | InvalidQuery): query is MatchQuery => !("code" in query);

/** Each valid query has its price, also when no company fits. */
export function priceOfQueries({ queries }: QueryBatch) {
  const count = queries.filter(({ query }) => isValid(query)).length;
  return { operation: "reconcile", price: PRICES.reconcile * count } as const;
}

/** Matches a batch. */
export function matchQueries(
  batch: QueryBatch,
  { finder, tiers }: Pick<Services, "finder" | "tiers">,
): HandlerResult | Promise<HandlerResult> {
  const valid = batch.queries.flatMap(({ query }) => (isValid(query) ? [query] : []));
  if (valid.length === 0) return delivered(batch, []);
  const limit = Math.max(...batch.queries.map((query) => query.limit));
  return deliverMatches(finder.match(valid, { limit }), tiers, (results) => delivered(batch, results));
}

/** @param results those of the valid queries, in order */
function delivered(batch: QueryBatch, results: readonly Ranking[]): Delivered {
  const remaining = results[Symbol.iterator]();
  const body = Object.fromEntries(
    batch.queries.map(({ id, query, limit }) => {
      if (!isValid(query)) return [id, { result: [], error: query }];
      const { candidates = [], notes } = remaining.next().value ?? {};
      return [id, { result: candidates.slice(0, limit).map(shown), ...known("notes", notes) }];
    }),
  );
  return { charge: priceOfQueries(batch).price, body };
}

function shown(candidate: RankedCandidate) {
  const { kvkNumber, name, matchedName, city, isActive, score, match, features } = candidate;
  const description = [
    city,
    matchedName === undefined ? undefined : `also known as ${matchedName}`,
    isActive ? undefined : "no longer active",
  ];
  return {
    id: kvkNumber,
    name,
    description: description.filter((part) => part !== undefined).join(", "),
    score,
    match,
    type: [COMPANY_TYPE],
    features: Object.entries(features).map(([id, value]) => ({ id, value })),
  };
}
