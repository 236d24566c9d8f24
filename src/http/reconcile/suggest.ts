/** Suggestions while a person types: companies, properties and types. */
import { Type } from "typebox";
import { PRICES } from "../../contract/prices.ts";
import type { AutocompleteItem } from "../../contract/resources.ts";
import { MAX_QUERY_LENGTH } from "../../contract/totals.ts";
import { deliver } from "../../lookup/answer.ts";
import { free, keyed, type OpenEndpoint } from "../endpoint.ts";
import {
  COMPANY_TYPE,
  EXTENSION_PROPERTIES,
  QUERY_PROPERTIES,
  RECONCILE_PATH,
  SPECIFIED,
} from "./properties.ts";

const MIN_PREFIX = 2;
const MAX_SUGGESTIONS = 10;

const querystring = Type.Object({
  prefix: Type.String({ maxLength: MAX_QUERY_LENGTH, default: "" }),
  // OpenRefine's dropdown adds these to each request. They do not change the result.
  ...Object.fromEntries(
    ["type", "type_strict", "cursor", "limit", "spell", "exact", "prefixed"].map((name) => [
      name,
      Type.Optional(Type.String({ maxLength: 200 })),
    ]),
  ),
});

export const suggestEntity = keyed({
  method: "GET",
  path: `${RECONCILE_PATH}/suggest/entity`,
  operation: "reconcile.suggest",
  ...SPECIFIED,
  summary: "Suggest companies",
  description: `Companies by the beginning of their name, as autocomplete finds them (${PRICES["reconcile.suggest"]} token; free for fewer than ${MIN_PREFIX} characters).`,
  schema: { querystring, response: Type.Unknown() },
  read: ({ query }) => query.prefix.trim(),
  cost: (prefix) => ({
    operation: "reconcile.suggest",
    price: prefix.length < MIN_PREFIX ? 0 : PRICES["reconcile.suggest"],
  }),
  handler: (prefix, { finder }) =>
    prefix.length < MIN_PREFIX
      ? { charge: 0, body: { result: [] } }
      : deliver(finder.autocomplete(prefix, MAX_SUGGESTIONS), (items) => ({
          charge: PRICES["reconcile.suggest"],
          body: { result: items.map(shown) },
        })),
});

function shown({ kvkNumber, name, city, matchedName }: AutocompleteItem) {
  const parts = [city, matchedName === undefined ? undefined : `also known as ${matchedName}`];
  const description = parts.filter((part) => part !== undefined).join(", ");
  return { id: kvkNumber, name, ...(description !== "" && { description }) };
}

/** Every property: those of queries, then the other ones of data extension. */
const PROPERTIES = [
  ...QUERY_PROPERTIES,
  ...EXTENSION_PROPERTIES.filter(({ id }) => !QUERY_PROPERTIES.some((property) => property.id === id)),
].map(({ id, name, description }) => ({ id, name, description }));

export const suggestProperty = free({
  method: "GET",
  path: `${RECONCILE_PATH}/suggest/property`,
  operation: "reconcile.properties",
  ...SPECIFIED,
  summary: "Suggest properties",
  description: "Properties of queries and of data extension by the beginning of a word in their name (free).",
  schema: { querystring, response: Type.Unknown() },
  handler: async ({ query }) => ({ body: { result: withPrefix(PROPERTIES, query.prefix) } }),
});

export const suggestType = free({
  method: "GET",
  path: `${RECONCILE_PATH}/suggest/type`,
  operation: "reconcile.properties",
  ...SPECIFIED,
  summary: "Suggest types",
  description: "The only type, `company` (free).",
  schema: { querystring, response: Type.Unknown() },
  handler: async ({ query }) => ({ body: { result: withPrefix([COMPANY_TYPE], query.prefix) } }),
});

function withPrefix<One extends { readonly id: string; readonly name: string }>(
  all: readonly One[],
  prefix: string,
): One[] {
  const typed = prefix.trim().toLowerCase();
  return all.filter(({ id, name }) => {
    const words = name.toLowerCase().split(" ");
    return (
      id.toLowerCase().startsWith(typed) || words.some((_, at) => words.slice(at).join(" ").startsWith(typed))
    );
  });
}

/** The properties of data extension. OpenRefine appends `?type=` to the address, so it cannot contain a key. */
export const proposeProperties: OpenEndpoint = {
  method: "GET",
  path: `${RECONCILE_PATH}/properties`,
  ...SPECIFIED,
  summary: "Propose properties for data extension",
  description: "The properties that can be added to companies (free, without a key).",
  schema: {
    querystring: Type.Object({
      type: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    response: Type.Unknown(),
  },
  auth: "none",
  handler: async (_services, { query }) => {
    const { type, limit } = query as { readonly type?: string; readonly limit?: number };
    const isKnown = type === undefined || type === "" || type === COMPANY_TYPE.id;
    const properties = isKnown ? EXTENSION_PROPERTIES.slice(0, limit) : [];
    return { status: 200, body: { ...query, properties } };
  },
};
