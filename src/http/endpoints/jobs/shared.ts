import { Type } from "typebox";
import { JOB_ID_PATTERN, type Job, JobSchema } from "../../../contract/jobs.ts";
import { PRICES } from "../../../contract/prices.ts";
import { refTo } from "../../../contract/resources.ts";
import type { OwnAnswer, OwnCaller } from "../../endpoint.ts";

export const JobRef = refTo<Job>(JobSchema);

/** The list of a path. */
export const JobIdParameter = Type.Unsafe<string>({
  type: "string",
  pattern: JOB_ID_PATTERN,
  description: "The id that a list was given when it was sent.",
  examples: ["job_0123456789abcdefABCDEF"],
  "x-rule": "the id of a list, such as job_0123456789abcdefABCDEF",
});

export const MaxTokensParameter = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "A cap: the list pauses before it would have cost more tokens than this.",
    examples: [900],
  }),
);

/** What calls about lists are filed under: they are free. */
export const FREE = { operation: "jobs", price: PRICES.jobs } as const;

/** What a list is, as the answer to a call about it. */
export function answering(tell: (caller: OwnCaller) => Promise<Job>): OwnAnswer {
  return { charge: 0, answer: async (caller) => ({ body: await tell(caller) }) };
}
