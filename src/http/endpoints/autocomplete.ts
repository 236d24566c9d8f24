import { Type } from "typebox";
import { PRICES } from "../../contract/prices.ts";
import { type AutocompleteItem, AutocompleteItemSchema, refTo } from "../../contract/resources.ts";
import { mayCompleteSlowly } from "../../lookup/finding.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { deliver } from "./delivering.ts";

/** Companies for a dropdown while a person types. */
export const autocomplete = keyed({
  method: "GET",
  path: "/v1/autocomplete",
  operation: "autocomplete",
  tag: "Finding",
  summary: "Complete what a person types",
  description: `Companies whose name or trading name holds every typed word, best first (${PRICES.autocomplete} token, also when nothing is found). Case, accents, \`&\` or \`en\`, dots in \`B.V.\` and word order do not matter; digits also search KVK numbers by prefix. Where no name fits, those that are a slip or two away are given, with \`isFuzzy: true\`; a city may be one of the words.`,
  schema: {
    querystring: Type.Object({
      q: Type.String({
        minLength: 2,
        maxLength: 200,
        description: "What was typed: 2 to 200 characters.",
        examples: ["gouden kore"],
      }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 8,
        description: "How many companies at most.",
        examples: [8],
      }),
    }),
    response: Type.Object({
      results: Type.Array(refTo<AutocompleteItem>(AutocompleteItemSchema), {
        description: "One row a company, best first; empty when nothing is found.",
      }),
    }),
  },
  cost: () => ({ operation: "autocomplete", price: PRICES.autocomplete }),
  mayBeSlow: ({ query }) => mayCompleteSlowly(query.q),
  handler: ({ query }, { lookup }) => deliver(lookup.autocomplete(query.q, query.limit), delivered),
});

function delivered(results: AutocompleteItem[]): Delivered {
  return { charge: PRICES.autocomplete, body: { results } };
}
