import { Type } from "typebox";
import { type Coverage, OptionalCoverage } from "../../contract/coverage.ts";
import { ApiError, invalid } from "../../contract/errors.ts";
import {
  MATCH_BOUNDS,
  MatchQuerySchema,
  type MatchResult,
  MatchResultSchema,
} from "../../contract/matchResources.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import { refTo } from "../../contract/resources.ts";
import { isUnprintable, type JsonObject, known } from "../../lib/values.ts";
import { type InvalidQuery, readQuery } from "../../match/readQuery.ts";
import type { Ranking as Matched, MatchQuery } from "../../match/types.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { API_VALUES, schemaReader, unknownName } from "../input/schemaReader.ts";
import { deliverMatches } from "../matching.ts";

const { maxQueries, maxCandidates, defaultCandidates, maxBytes, idLength } = MATCH_BOUNDS;

/** Two queries, and their results in the registry of the demo. */
const QUERIES = [
  { id: "debtor-1042", name: "Bakkerij de Goude Korenaar BV", city: "Amsterdam" },
  { id: "debtor-1043", kvkNumber: "09876543" },
];
const RESULTS: readonly MatchResult[] = [
  {
    id: "debtor-1042",
    decision: "matched",
    candidates: [
      {
        kvkNumber: "51234567",
        name: "Bakkerij De Gouden Korenaar B.V.",
        city: "Amsterdam",
        isActive: true,
        score: 99.9,
        match: true,
        features: { name: 0.95, legalForm: 1, city: 1 },
      },
    ],
  },
  {
    id: "debtor-1043",
    decision: "matched",
    candidates: [
      {
        kvkNumber: "09876543",
        name: "Houtzagerij De Oude Wind",
        city: "Zaandam",
        isActive: true,
        score: 100,
        match: true,
        features: { kvkNumber: 1 },
      },
    ],
  },
];

/** A query of a call, read. */
type Item = { readonly id: string } & ({ readonly query: MatchQuery } | { readonly error: InvalidQuery });

/** The companies meant by up to 100 names, addresses or numbers. */
export const match = keyed({
  method: "POST",
  path: "/v1/match",
  operation: "match",
  tokens: `${PRICES.match} for each valid query`,
  tag: "Finding",
  summary: "Match names to companies",
  description: `Finds the company meant by each of 1 to ${maxQueries} queries: a name, also misspelled or without its legal form, preferably with a city or an address, or a number, which decides unless the name contradicts it. Each valid query costs ${PRICES.match} token, \`none\` included; one with an error costs nothing and does not fail the call. The body has at most ${maxBytes / 1_024} KB. An account may have one match call in progress; others get 429 with \`Retry-After\`. Of a shielded address only the city counts.`,
  bodyLimit: maxBytes,
  tool: {
    name: "match_companies",
    title: "Match names to Dutch companies",
    description: `The company meant by each name of a list: 1 to ${maxQueries} queries, each with a name, an address or a number, preferably with a city. Read decision first: matched means that the candidate with match true is the company; ambiguous means that a person must choose between the candidates; none means that it is probably not in the registry. Use search_companies to explore, this tool to identify. Costs ${PRICES.match} token for each valid query, also when nothing is found. A query with an error does not affect the others. Errors cost nothing.`,
  },
  schema: {
    body: Type.Object({
      queries: Type.Array(Type.Unsafe<JsonObject>({ type: "object", $ref: "MatchQuery#" }), {
        minItems: 1,
        maxItems: maxQueries,
        description: `The queries, 1 to ${maxQueries}.`,
        examples: [QUERIES],
      }),
      limit: Type.Integer({
        minimum: 1,
        maximum: maxCandidates,
        default: defaultCandidates,
        description: "Maximum number of candidates for each query.",
        examples: [defaultCandidates],
      }),
      isActive: Type.Optional(
        Type.Boolean({ description: "Only active companies, or only ended ones.", examples: [true] }),
      ),
    }),
    response: Type.Object({
      results: Type.Array(refTo<MatchResult>(MatchResultSchema), {
        description: "One result for each query, in the order of the request.",
        examples: [RESULTS],
      }),
      tokensUsed: Type.Integer({
        minimum: 0,
        description: "The cost of this call in tokens.",
        examples: [RESULTS.length],
      }),
      coverage: OptionalCoverage,
    }),
  },
  read: ({ body: { queries, limit, isActive } }) => {
    const items = queries.map(readItem);
    const ids = new Set<string>();
    for (const { id } of items) {
      if (ids.has(id)) {
        throw invalid(`each query needs an id of its own; ${quoted(id)} is repeated`);
      }
      ids.add(id);
    }
    const valid = items.flatMap((item) => ("query" in item ? item.query : []));
    return { items, valid, options: { limit, ...known("isActive", isActive) } };
  },
  cost: ({ valid }) => ({ operation: "match", price: PRICES.match * valid.length }),
  handler: ({ items, valid, options }, { lookup, finder, tiers }) =>
    valid.length === 0
      ? delivered(items, [])
      : deliverMatches(finder.match(valid, options), tiers, (found) =>
          delivered(items, found, lookup.coverage),
        ),
});

const FIELDS = Object.keys(MatchQuerySchema.properties);
const readFields = schemaReader(MatchQuerySchema, API_VALUES);

/** Reads a query. An error in its fields is its own; only an unusable id fails the call. */
function readItem(sent: JsonObject, index: number): Item {
  const id = sent["id"] === undefined || sent["id"] === "" ? String(index) : sent["id"];
  if (typeof id !== "string" || id.length > idLength || isUnprintable(id)) {
    throw invalid(
      `queries[${index}].id must be a string of 1 to ${idLength} characters, without control characters`,
    );
  }
  try {
    const unknown = Object.keys(sent).find((name) => !FIELDS.includes(name));
    if (unknown !== undefined) throw unknownName(`field ${quoted(unknown)} in the query`, FIELDS);
    const { id: _id, ...fields } = readFields(sent);
    const query = readQuery(fields);
    return "code" in query ? { id, error: query } : { id, query };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { id, error: { code: "INVALID_REQUEST", message: error.message } };
  }
}

/** Returns the response, in the order of the request. @param found the results of the valid queries */
function delivered(items: readonly Item[], found: readonly Matched[], coverage?: Coverage): Delivered {
  const results = found.values();
  return {
    charge: PRICES.match * found.length,
    body: {
      results: items.map((item) => ("query" in item ? { id: item.id, ...results.next().value } : item)),
      tokensUsed: PRICES.match * found.length,
      ...(found.some(({ decision }) => decision === "none") && known("coverage", coverage)),
    },
  };
}
