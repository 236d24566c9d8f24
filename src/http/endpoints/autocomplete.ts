import { Type } from "typebox";
import { PRICES } from "../../contract/prices.ts";
import { type AutocompleteItem, AutocompleteItemSchema, refTo } from "../../contract/resources.ts";
import { MAX_QUERY_LENGTH } from "../../contract/totals.ts";
import { MOST_FOLLOWERS, SESSION_SECONDS, TYPING_SESSION } from "../../contract/typingSession.ts";
import { keyed } from "../endpoint.ts";
import { deliver, firstStep } from "./delivering.ts";
import { sessionField } from "./shared.ts";

/** Companies for a dropdown while a person types. */
export const autocomplete = keyed({
  method: "GET",
  path: "/v1/autocomplete",
  operation: "autocomplete",
  tag: "Finding",
  summary: "Complete what a person types",
  description: `Companies whose name or trading name holds every typed word, best first (${PRICES.autocomplete} token, also when nothing is found). Case, accents, \`&\` or \`en\`, dots in \`B.V.\` and word order do not matter; digits also search KVK numbers by prefix. Where no name fits, those that are a slip or two away are given, with \`isFuzzy: true\`; a city or a postal code may stand beside the name. Calls with one \`session\` are paid for once: the first that is delivered costs ${PRICES.autocomplete} token; those with the same key that follow within ${SESSION_SECONDS / 60} minutes of it, ${MOST_FOLLOWERS} at most, cost 0 and are delivered also when no token is left.`,
  schema: {
    querystring: Type.Object({
      q: Type.String({
        minLength: 2,
        maxLength: MAX_QUERY_LENGTH,
        description: `What was typed: 2 to ${MAX_QUERY_LENGTH} characters.`,
        examples: ["gouden kore"],
      }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 8,
        description: "How many companies at most.",
        examples: [8],
      }),
      session: Type.Optional(
        sessionField(
          `Names one person's typing, ${TYPING_SESSION.rule}: made up anew, at random, for each field that somebody begins to type in. Left out, every call is paid for.`,
        ),
      ),
    }),
    response: Type.Object({
      results: Type.Array(refTo<AutocompleteItem>(AutocompleteItemSchema), {
        description: "One row a company, best first; empty when nothing is found.",
      }),
    }),
  },
  cost: () => ({ operation: "autocomplete", price: PRICES.autocomplete }),
  session: ({ query }) => query.session,
  handler: ({ query }, { lookup }) =>
    deliver(firstStep(lookup.autocomplete(query.q, query.limit)), (results) => ({
      charge: PRICES.autocomplete,
      body: { results },
    })),
});
