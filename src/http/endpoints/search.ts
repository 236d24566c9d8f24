import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { LegalFormSchema } from "../../contract/legalForms.ts";
import { PRICES } from "../../contract/prices.ts";
import { refTo, type SearchItem, SearchItemSchema } from "../../contract/resources.ts";
import { MAX_QUERY_LENGTH, MOST_COUNTED, MOST_ROWS } from "../../contract/totals.ts";
import { NOT_LIVE } from "../../lookup/finding.ts";
import { keyed } from "../endpoint.ts";
import { deliver } from "./delivering.ts";
import { onlyWhen } from "./shared.ts";

const CRITERIA = ["q", "city", "postalCode", "legalForm", "sbiCode", "isActive"] as const;

/** Companies by what is known of them, page by page. */
export const search = keyed({
  method: "GET",
  path: "/v1/search",
  operation: "search",
  tag: "Finding",
  isConditional: true,
  summary: "Search companies",
  description: `Companies that satisfy every given criterion, best first, one row a company (${PRICES.search} token, also when nothing is found). page × pageSize is at most ${MOST_ROWS}. A total above ${MOST_COUNTED} is told as ${MOST_COUNTED} with \`totalIsExact: false\`.`,
  schema: {
    querystring: Type.Object({
      q: Type.Optional(
        Type.String({
          minLength: 2,
          maxLength: MAX_QUERY_LENGTH,
          description: `Words of a name or trading name, also with a city or postal code, or a KVK number: 2 to ${MAX_QUERY_LENGTH} characters.`,
          examples: ["gouden korenaar"],
        }),
      ),
      city: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            "City, whole. `a/d`, `St.` and `Den Bosch` stand for `aan den`, `Sint` and `'s-Hertogenbosch`. `Rijswijk` is every Rijswijk, `Rijswijk (GLD)` the one in Gelderland.",
          examples: ["Amsterdam"],
        }),
      ),
      postalCode: Type.Optional(
        Type.String({
          pattern: "^[0-9]{1,4}$|^[0-9]{4} ?[A-Za-z]{1,2}$",
          description: "Postal code or its beginning; the space is optional.",
          examples: ["1012", "1012 AB"],
          "x-rule": "a Dutch postal code or its beginning, such as 1012 or 1012 AB",
        }),
      ),
      legalForm: Type.Optional(LegalFormSchema),
      sbiCode: Type.Optional(
        Type.String({
          pattern: "^[0-9]{1,2}(\\.?[0-9]{1,2}){0,2}\\.?$",
          description: "SBI code or its beginning, with or without its dots.",
          examples: ["1071"],
          "x-rule": "1 to 6 digits, such as 4711 or 47.11",
        }),
      ),
      isActive: Type.Optional(
        Type.Boolean({ description: "Only active or only ended ones.", examples: [true] }),
      ),
      fuzzy: Type.Optional(
        Type.Boolean({
          description:
            "Whether names are found that are a slip or two away, where no name fits as typed (`isFuzzy`); true unless given.",
          examples: [false],
        }),
      ),
      page: Type.Integer({
        minimum: 1,
        maximum: MOST_ROWS,
        default: 1,
        description: "Page, from 1.",
        examples: [1],
      }),
      pageSize: Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 10,
        description: "Rows a page.",
        examples: [10],
      }),
    }),
    response: Type.Object({
      results: Type.Array(refTo<SearchItem>(SearchItemSchema), { description: "The rows of this page." }),
      total: Type.Integer({
        minimum: 0,
        maximum: MOST_COUNTED,
        description: `How many companies there are in all; of more than ${MOST_COUNTED} this number, with totalIsExact false. Where not all was read, as of a misspelled search that took too long or of KVK's own, it may be any number, also 0, of which there are at least so many; then totalIsExact is false too.`,
        examples: [10_000],
      }),
      totalIsExact: onlyWhen(
        false,
        "There, and false, when there are, or may be, more companies than total says.",
      ),
      page: Type.Integer({ minimum: 1, description: "This page.", examples: [1] }),
      pageSize: Type.Integer({ minimum: 1, description: "Rows a page.", examples: [10] }),
    }),
  },
  read: ({ query }, { lookup }) => {
    const { page, pageSize } = query;
    if (page * pageSize > MOST_ROWS) {
      throw new ApiError(
        "INVALID_REQUEST",
        `page × pageSize must be at most ${MOST_ROWS}; received ${page} × ${pageSize}: narrow the search instead`,
      );
    }
    if (CRITERIA.every((name) => query[name] === undefined)) {
      throw new ApiError("INVALID_REQUEST", `one of ${CRITERIA.join(", ")} is required`);
    }
    if (lookup.isSearchLive) refuseNotLive(query);
    return query;
  },
  cost: () => ({ operation: "search", price: PRICES.search }),
  mayBeSlow: () => true,
  handler: (query, { lookup }) => {
    const { page, pageSize } = query;
    return deliver(lookup.search(query), ({ results, ...total }) => ({
      charge: PRICES.search,
      body: { results, ...total, page, pageSize },
      isNothing: results.length === 0,
    }));
  },
});

/** @throws {ApiError} for what KVK's own search, which stands in where there is no snapshot, cannot narrow by */
function refuseNotLive(query: Readonly<Partial<Record<(typeof CRITERIA)[number], unknown>>>): void {
  const foreign = NOT_LIVE.find((name) => query[name] !== undefined);
  if (foreign !== undefined || query.isActive === false) {
    throw new ApiError(
      "INVALID_REQUEST",
      `${foreign ?? "isActive=false"} cannot be searched by here: this service searches KVK directly, by q, city and isActive=true`,
    );
  }
}
