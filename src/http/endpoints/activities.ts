import { type Static, Type } from "typebox";
import { findActivities } from "../../company/findActivities.ts";
import { SBI_VERSIONS, SbiVersionSchema } from "../../contract/activities.ts";
import type { OpenEndpoint } from "../endpoint.ts";
import { oneOf } from "./shared.ts";

const MAX_LIMIT = 50;

const querystring = Type.Object({
  q: Type.String({
    minLength: 2,
    maxLength: 100,
    description:
      "Words of a description in Dutch or, for 2025, English, the last one possibly incomplete; or the first digits of a code. Case and accents are ignored.",
    examples: ["bakkerij"],
  }),
  sbiVersion: Type.Optional(oneOf(SBI_VERSIONS, "Only codes of this version; both by default.", "2025")),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 10,
    description: "Maximum number of codes.",
    examples: [10],
  }),
});

/** SBI codes by words, to search companies by. */
export const activities: OpenEndpoint = {
  auth: "none",
  method: "GET",
  path: "/v1/activities",
  tag: "Finding",
  summary: "Find SBI codes",
  description:
    "SBI codes of both versions by words of their descriptions, best first, for `sbiCode` and `sbiVersion` of a search. Words of a code's group find it too. No key, no tokens; it may be cached for a day.",
  cacheSeconds: 86_400,
  schema: {
    querystring,
    response: Type.Object({
      results: Type.Array(
        Type.Object({
          sbiCode: Type.String({ description: "SBI code, or the code of a group.", examples: ["10710"] }),
          sbiVersion: SbiVersionSchema,
          description: Type.String({
            description: "The meaning of the code, in Dutch.",
            examples: ["Vervaardiging van brood en vers banketbakkerswerk"],
          }),
        }),
        { description: "The codes, best first." },
      ),
    }),
  },
  handler: async (_services, { query }) => {
    const { q, sbiVersion, limit } = query as Static<typeof querystring>;
    return { status: 200, body: { results: await findActivities(q, { sbiVersion, limit }) } };
  },
};
