import { Type } from "typebox";
import {
  JOB_BOUNDS,
  JobKindSchema,
  MIN_NUMBERS_OF_ACCOUNT,
  NUMBERS_PER_MONTHLY_TOKEN,
} from "../../../contract/jobs.ts";
import { POOLS } from "../../../contract/pools.ts";
import { PRICES } from "../../../contract/prices.ts";
import { free } from "../../endpoint.ts";
import { REPLAYED } from "../../sending.ts";
import { JobRef, MaxTokensParameter } from "./manage.ts";

const FORMS = { "application/x-ndjson": "jsonl", "text/csv": "csv" } as const;
const TYPES = Object.keys(FORMS) as readonly (keyof typeof FORMS)[];

/** Takes a list of up to 100,000 numbers. */
export const sendJob = free({
  method: "POST",
  path: "/v1/jobs",
  operation: "jobs",
  tag: "Lists",
  summary: "Send a list of many numbers",
  description: `Takes up to ${JOB_BOUNDS.mostNumbers.toLocaleString("en")} numbers, which are processed in the background, and answers 202 at once (free, one call of the rate window; its numbers take none). Each number that is answered costs what it costs alone: ${PRICES["jobs.lookup"]} token, ${PRICES["jobs.lookup.enriched"]} for \`lookup.enriched\`; what fails costs nothing, and a number that is sent twice is answered and charged once. The body is either JSON lines (\`application/x-ndjson\`: a text such as \`"51234567"\` or an object with \`kvkNumber\` or \`vatNumber\` on each line) or CSV (\`text/csv\`, the first row naming a column \`kvkNumber\` or \`vatNumber\`), ${JOB_BOUNDS.mostBytes / 1_048_576} MB at most. An account keeps ${NUMBERS_PER_MONTHLY_TOKEN} numbers for each token of its month, waiting or with their results: at least ${MIN_NUMBERS_OF_ACCOUNT.toLocaleString("en")}, at most ${POOLS.lists.perAccount.toLocaleString("en")}. ${POOLS.receiving.perAccount} lists of an account are received at once (${POOLS.receiving.perFreeAccount} with a free plan), ${POOLS.dryRuns.perAccount} of them dry runs; more are answered 503. The list pauses when the month's tokens are used up and goes on when there are more. With \`Idempotency-Key\` the same list that is sent again, as after an answer that was lost, is answered with the one that was taken, while that is kept.`,
  uploads: TYPES,
  uploadExample: '"51234567"\n"09876543"\n',
  delivers: { status: 202 },
  schema: {
    querystring: Type.Object({
      kind: JobKindSchema,
      dryRun: Type.Boolean({
        default: false,
        description: "Answer 200 with what the list would cost at most; nothing is kept or done.",
        examples: [true],
      }),
      maxTokens: MaxTokensParameter,
      webhook: Type.Optional(
        Type.String({
          description:
            "Where the end of the list is told, by a signed POST (Standard Webhooks). Needs a secret: see `POST /v1/webhook-secret`.",
          examples: ["https://example.com/hooks/opzoek"],
        }),
      ),
    }),
    response: JobRef,
  },
  handler: async ({ query, upload }, { lists }, owner) => {
    if (upload === undefined) throw new Error("an endpoint that takes uploads got none");
    const form = FORMS[upload.type as keyof typeof FORMS];
    const { kind, dryRun, maxTokens, webhook } = query;
    const terms = { kind, maxTokens, webhook };
    if (dryRun) return { body: await lists.price(upload.stream, form, terms, owner) };
    const { job, isRepeated } = await lists.add(upload.stream, form, terms, owner);
    return { status: 202, body: job, ...(isRepeated && { headers: REPLAYED }) };
  },
});
