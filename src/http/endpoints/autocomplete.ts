import { Type } from "typebox";
import { OptionalCoverage } from "../../contract/coverage.ts";
import { type Hint, HintSchema } from "../../contract/hints.ts";
import { PRICES } from "../../contract/prices.ts";
import { type AutocompleteItem, AutocompleteItemSchema, refTo } from "../../contract/resources.ts";
import { MAX_QUERY_LENGTH } from "../../contract/totals.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS, TYPING_SESSION } from "../../contract/typingSession.ts";
import { known } from "../../lib/values.ts";
import { deliver } from "../../lookup/answer.ts";
import { hintFor } from "../../lookup/pasted.ts";
import { keyed } from "../endpoint.ts";
import { sessionField } from "./shared.ts";

/** Companies for a dropdown while a person types. */
export const autocomplete = keyed({
  method: "GET",
  path: "/v1/autocomplete",
  operation: "autocomplete",
  tokens: `${PRICES.autocomplete}; in a typing session the next ${MAX_FOLLOWERS} calls within ${SESSION_SECONDS / 60} minutes 0`,
  tag: "Finding",
  summary: "Autocomplete company names",
  description: `Companies whose name or trading name holds every typed word, best first (${PRICES.autocomplete} token, also when nothing is found). Case, accents, \`&\` or \`en\`, dots in \`B.V.\` and word order do not matter; digits also search KVK numbers by prefix. If no name matches, names within one or two typos are returned with \`isFuzzy: true\`. The query may also contain a city or postal code. Calls with the same \`session\` are charged once: the first delivered call costs ${PRICES.autocomplete} token, and up to ${MAX_FOLLOWERS} more calls with the same key within ${SESSION_SECONDS / 60} minutes are free, even when no tokens are left.`,
  schema: {
    querystring: Type.Object({
      q: Type.String({
        minLength: 2,
        maxLength: MAX_QUERY_LENGTH,
        description: `The typed text: 2 to ${MAX_QUERY_LENGTH} characters.`,
        examples: ["gouden kore"],
      }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 8,
        description: "Maximum number of companies.",
        examples: [8],
      }),
      session: Type.Optional(
        sessionField(
          `A typing session, ${TYPING_SESSION.rule}: a new random value each time someone starts typing in a field. Without it every call is charged.`,
        ),
      ),
    }),
    response: Type.Object({
      results: Type.Array(refTo<AutocompleteItem>(AutocompleteItemSchema), {
        description: "One row per company, best first; empty when nothing is found.",
      }),
      hint: Type.Optional(refTo<Hint>(HintSchema)),
      coverage: OptionalCoverage,
    }),
  },
  cost: () => ({ operation: "autocomplete", price: PRICES.autocomplete }),
  session: ({ query }) => query.session,
  handler: ({ query }, { lookup, finder }) =>
    deliver(finder.autocomplete(query.q, query.limit), (results) => ({
      charge: PRICES.autocomplete,
      body: {
        results,
        ...hintFor(query.q, results),
        ...(results.length === 0 && known("coverage", lookup.coverage)),
      },
    })),
});
