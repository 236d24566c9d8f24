import { Type } from "typebox";
import { JOB_ID_PATTERN, type Job, JobSchema } from "../../../contract/jobs.ts";
import { refTo } from "../../../contract/resources.ts";

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
