import { Type } from "typebox";
import { ENRICHED_RULE } from "../../../contract/enrichedCharge.ts";
import {
  JOB_BOUNDS,
  JobKindSchema,
  MIN_NUMBERS_OF_ACCOUNT,
  NUMBERS_PER_MONTHLY_TOKEN,
} from "../../../contract/jobs.ts";
import { POOLS } from "../../../contract/pools.ts";
import { PRICES } from "../../../contract/prices.ts";
import { noAnswer } from "../../../lookup/answer.ts";
import { peppolOff } from "../../../lookup/companyPeppol.ts";
import { free } from "../../endpoint.ts";
import { REPLAYED } from "../../sending.ts";
import { JobRef, MaxTokensParameter } from "./manage.ts";

const FORMS = { "application/x-ndjson": "jsonl", "text/csv": "csv" } as const;
const TYPES = Object.keys(FORMS) as readonly (keyof typeof FORMS)[];

/** Submits a list of up to 100,000 numbers. */
export const sendJob = free({
  method: "POST",
  path: "/v1/jobs",
  operation: "jobs",
  tokens: `0; for each number with a result ${PRICES["jobs.lookup"]}, ${ENRICHED_RULE}; for each valid row ${PRICES["jobs.match"]}`,
  tag: "Lists",
  summary: "Submit a list of numbers, or of rows to match",
  description: `Accepts up to ${JOB_BOUNDS.maxNumbers.toLocaleString("en")} numbers, returns 202 at once and processes them in the background (free; the call counts once towards the rate limit, the numbers do not). Each answered number costs as much as a single call: ${PRICES["jobs.lookup"]} token, ${PRICES["jobs.lookup.enriched"]} for \`lookup.enriched\`. Failed numbers are free, and a repeated number is answered and charged once. The body is JSON lines (\`application/x-ndjson\`: a string such as \`"51234567"\` or an object with \`kvkNumber\` or \`vatNumber\` on each line) or CSV (\`text/csv\`, the first row with a column \`kvkNumber\` or \`vatNumber\`), at most ${JOB_BOUNDS.maxBytes / 1_048_576} MB. With \`match\`, each row or object describes a company, with columns or fields such as name, city, postalCode, street, houseNumber, kvkNumber, rsin, vatNumber, lei, euid and website, by their Dutch or English names, and optionally an id; at most ${JOB_BOUNDS.maxMatchBytes / 1_048_576} MB. Each valid row costs ${PRICES["jobs.match"]} token, and equal rows are separate rows. An account may store ${NUMBERS_PER_MONTHLY_TOKEN} numbers, waiting or with results, for each of its monthly tokens: at least ${MIN_NUMBERS_OF_ACCOUNT.toLocaleString("en")}, at most ${POOLS.lists.perAccount.toLocaleString("en")}. The lists that it uploads at once may have ${POOLS.receiving.perAccount / 1_048_576} MB together (${POOLS.receiving.perFreeAccount / 1_048_576} MB with a free plan); more wait up to 5 s, then get 503. The list pauses when the month's tokens are used up and resumes when there are more. With \`Idempotency-Key\`, submitting the same list again returns the first one while it is stored.`,
  uploads: TYPES,
  uploadExample: '"51234567"\n"09876543"\n',
  delivers: { status: 202 },
  schema: {
    querystring: Type.Object({
      kind: JobKindSchema,
      dryRun: Type.Boolean({
        default: false,
        description: "Return 200 with the maximum cost of the list, without storing or processing it.",
        examples: [true],
      }),
      maxTokens: MaxTokensParameter,
      webhook: Type.Optional(
        Type.String({
          description:
            "A URL that gets a signed POST (Standard Webhooks) when the list ends. Requires a secret: see `POST /v1/webhook-secret`.",
          examples: ["https://example.com/hooks/opzoek"],
        }),
      ),
    }),
    response: JobRef,
  },
  handler: async ({ query, upload }, { lists, lookup }, owner) => {
    if (query.kind === "insolvency" && lookup.noCourt !== undefined) throw noAnswer(lookup.noCourt);
    if (query.kind === "peppol" && !lookup.hasPeppol) throw peppolOff();
    if (upload === undefined) throw new Error("the endpoint got no upload");
    const form = FORMS[upload.type as keyof typeof FORMS];
    const { kind, dryRun, maxTokens } = query;
    const terms = { kind, maxTokens, webhook: query.webhook?.trim() };
    if (dryRun) return { body: await lists.price(upload.stream, form, terms, owner) };
    const { job, isRepeated } = await lists.add(upload.stream, form, terms, owner);
    return { status: 202, body: job, ...(isRepeated && { headers: REPLAYED }) };
  },
});
