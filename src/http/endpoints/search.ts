import { Type } from "typebox";
import { SBI_VERSIONS } from "../../contract/activities.ts";
import { OptionalCoverage } from "../../contract/coverage.ts";
import { invalid } from "../../contract/errors.ts";
import { type Hint, HintSchema } from "../../contract/hints.ts";
import { LegalFormSchema } from "../../contract/legalForms.ts";
import { euidOf, IDENTIFIER_RULES, kvkNumberOfEuid, parseLei } from "../../contract/numbers.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import { refTo, type SearchItem, SearchItemSchema } from "../../contract/resources.ts";
import { MAX_COUNTED, MAX_QUERY_LENGTH, MAX_ROWS } from "../../contract/totals.ts";
import { known } from "../../lib/values.ts";
import { deliver, noAnswer } from "../../lookup/answer.ts";
import { NOT_LIVE } from "../../lookup/finding.ts";
import { hintFor } from "../../lookup/pasted.ts";
import { keyed } from "../endpoint.ts";
import { oneOf, onlyWhen } from "./shared.ts";

const CRITERIA = ["q", "city", "postalCode", "legalForm", "sbiCode", "isActive", "lei", "euid"] as const;

/** Companies by several criteria, page by page. */
export const search = keyed({
  method: "GET",
  path: "/v1/search",
  operation: "search",
  tag: "Finding",
  isConditional: true,
  summary: "Search companies",
  description: `Companies that match every criterion, best first, one row per company (${PRICES.search} token, also when nothing is found). page × pageSize is at most ${MAX_ROWS}. A total above ${MAX_COUNTED} is returned as ${MAX_COUNTED} with \`totalIsExact: false\`.`,
  tool: {
    name: "search_companies",
    title: "Search Dutch companies",
    description: `Companies of the Dutch registry by name (also misspelled), city, postal code, legal form, SBI code, LEI, EUID or insolvency, best first, one row per company with its KVK number. At least one criterion is required; page × pageSize is at most ${MAX_ROWS}. Costs ${PRICES.search} token, also when nothing is found. Errors cost nothing.`,
  },
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
            "The full name of a city. `a/d`, `St.` and `Den Bosch` stand for `aan den`, `Sint` and `'s-Hertogenbosch`. `Rijswijk` matches every Rijswijk, `Rijswijk (GLD)` the one in Gelderland.",
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
      sbiVersion: Type.Optional(
        oneOf(
          [...SBI_VERSIONS, "both"],
          "The version of the SBI that `sbiCode` is of; `both` by default. Activities of unknown version match `both` only. `GET /v1/activities` finds codes.",
          "2025",
        ),
      ),
      isActive: Type.Optional(
        Type.Boolean({ description: "Only active companies, or only ended ones.", examples: [true] }),
      ),
      lei: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description: "LEI; case and spaces are ignored. Only companies from GLEIF's data have one.",
          examples: ["99990051234567AB1209"],
          "x-rule": IDENTIFIER_RULES.lei,
        }),
      ),
      euid: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description: "Dutch EUID: `NLNHR.` and the KVK number; case and spaces are ignored.",
          examples: ["NLNHR.51234567"],
          "x-rule": IDENTIFIER_RULES.euid,
        }),
      ),
      insolvent: Type.Optional(
        Type.Boolean({
          description:
            "Next to another criterion. `true`: legal persons with an open case in the court's register under their KVK number; `false`: legal persons that a lookup answers `none`, which is no proof of solvency. Other companies match neither.",
          examples: [false],
        }),
      ),
      fuzzy: Type.Optional(
        Type.Boolean({
          description:
            "Whether to return names within one or two typos (`isFuzzy`) when no name matches as typed; true by default.",
          examples: [false],
        }),
      ),
      page: Type.Integer({
        minimum: 1,
        maximum: MAX_ROWS,
        default: 1,
        description: "Page, from 1.",
        examples: [1],
      }),
      pageSize: Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 10,
        description: "Rows per page.",
        examples: [10],
      }),
    }),
    response: Type.Object({
      results: Type.Array(refTo<SearchItem>(SearchItemSchema), { description: "The rows of this page." }),
      total: Type.Integer({
        minimum: 0,
        maximum: MAX_COUNTED,
        description: `The number of matching companies, at most ${MAX_COUNTED}; above that totalIsExact is false. When not everything was read, such as for a misspelled search that took too long or a search by KVK, it is a lower bound, possibly 0, and totalIsExact is false too.`,
        examples: [10_000],
      }),
      totalIsExact: onlyWhen(
        false,
        "False when there are or may be more companies than total; otherwise absent.",
      ),
      page: Type.Integer({ minimum: 1, description: "This page.", examples: [1] }),
      pageSize: Type.Integer({ minimum: 1, description: "Rows per page.", examples: [10] }),
      hint: Type.Optional(refTo<Hint>(HintSchema)),
      coverage: OptionalCoverage,
    }),
  },
  read: ({ query }, { finder }) => {
    const { page, pageSize } = query;
    if (page * pageSize > MAX_ROWS) {
      throw invalid(
        `page × pageSize must be at most ${MAX_ROWS}; received ${page} × ${pageSize}: narrow the search instead`,
      );
    }
    if (CRITERIA.every((name) => query[name] === undefined)) {
      throw invalid(`one of ${CRITERIA.join(", ")} is required`);
    }
    const { sbiVersion, ...criteria } = query;
    if (sbiVersion !== undefined && query.sbiCode === undefined) {
      throw invalid("sbiVersion needs sbiCode, the code that it is the version of; received none");
    }
    if (finder.isLive) refuseNotLive(query);
    if (query.insolvent !== undefined && finder.noCourt !== undefined) throw noAnswer(finder.noCourt);
    const kvkNumber = query.euid === undefined ? undefined : valid("euid", query.euid, kvkNumberOfEuid);
    return {
      ...criteria,
      ...(sbiVersion !== undefined && sbiVersion !== "both" && { sbiVersion }),
      ...(query.lei !== undefined && { lei: valid("lei", query.lei, parseLei) }),
      ...(kvkNumber !== undefined && { euid: euidOf(kvkNumber) }),
    };
  },
  cost: () => ({ operation: "search", price: PRICES.search }),
  mayBeSlow: () => true,
  handler: (query, { lookup, finder }) => {
    const { q, page, pageSize } = query;
    return deliver(finder.search(query), ({ results, ...total }) => ({
      charge: PRICES.search,
      body: {
        results,
        ...total,
        page,
        pageSize,
        ...hintFor(q, results, page),
        ...(total.total === 0 && known("coverage", lookup.coverage)),
      },
    }));
  },
});

/** @throws {ApiError} when `parse` fails */
function valid<Value>(
  field: keyof typeof IDENTIFIER_RULES,
  text: string,
  parse: (text: string) => Value | undefined,
): Value {
  const value = parse(text);
  if (value === undefined)
    throw invalid(`${field} must be ${IDENTIFIER_RULES[field]}; received ${quoted(text)}`);
  return value;
}

/** @throws {ApiError} for criteria that KVK's own search, which is used without a registry, does not support */
function refuseNotLive(
  query: Readonly<Partial<Record<(typeof CRITERIA)[number] | "insolvent", unknown>>>,
): void {
  const foreign = NOT_LIVE.find((name) => query[name] !== undefined);
  if (foreign !== undefined || query.isActive === false) {
    throw invalid(
      `${foreign ?? "isActive=false"} is not supported here: this service searches KVK directly, by q, city and isActive=true`,
    );
  }
}
