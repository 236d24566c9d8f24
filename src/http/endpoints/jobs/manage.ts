import { Type } from "typebox";
import { JOB_BOUNDS, JOB_ID_PATTERN, type Job, JobSchema } from "../../../contract/jobs.ts";
import { refTo } from "../../../contract/resources.ts";
import { free } from "../../endpoint.ts";
import { text } from "../shared.ts";

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

const PATH = "/v1/jobs/:jobId";
const params = Type.Object({ jobId: JobIdParameter });
const stated = { operation: "jobs", tag: "Lists" } as const;

/** The lists of an account. */
export const listJobs = free({
  ...stated,
  method: "GET",
  path: "/v1/jobs",
  summary: "Show all lists",
  description: `The lists of the account, the newest first (free): those that have not ended, and those whose results are still kept.`,
  schema: {
    response: Type.Object({
      jobs: Type.Array(JobRef, { description: "The lists, the newest first." }),
    }),
  },
  handler: async (_input, { lists }, owner) => ({ body: { jobs: await lists.all(owner) } }),
});

/** One list. */
export const getJob = free({
  ...stated,
  method: "GET",
  path: PATH,
  summary: "Show how far a list is",
  description: "The list with its progress and what it cost so far (free).",
  schema: { params, response: JobRef },
  handler: async ({ params: { jobId } }, { lists }, owner) => ({ body: await lists.one(owner, jobId) }),
});

export const pauseJob = free({
  ...stated,
  method: "POST",
  path: `${PATH}/pause`,
  summary: "Pause a list",
  description: `Nothing more of the list is worked until it is resumed (free). A list that has not ended by its \`expiresAt\` expires: ${JOB_BOUNDS.openDays} days after it was sent, ${JOB_BOUNDS.freeOpenDays} with a free plan.`,
  schema: { params, response: JobRef },
  handler: async ({ params: { jobId } }, { lists }, owner) => ({
    body: await lists.change(owner, jobId, { kind: "pause" }),
  }),
});

export const resumeJob = free({
  ...stated,
  method: "POST",
  path: `${PATH}/resume`,
  summary: "Let a list go on",
  description:
    "Goes on with a list that is paused (free), under the key of this call; maxTokens sets another cap. A list that reached its cap needs a higher one.",
  schema: { params, querystring: Type.Object({ maxTokens: MaxTokensParameter }), response: JobRef },
  handler: async ({ params: { jobId }, query: { maxTokens } }, { lists }, owner) => {
    const { keyId, isTest } = owner;
    return { body: await lists.change(owner, jobId, { kind: "resume", keyId, isTest, maxTokens }) };
  },
});

export const cancelJob = free({
  ...stated,
  method: "POST",
  path: `${PATH}/cancel`,
  summary: "Cancel a list",
  description:
    "Ends a list, and deletes what was sent and its results at once (free); also of one that has ended. What was charged stays charged.",
  schema: { params, response: JobRef },
  handler: async ({ params: { jobId } }, { lists }, owner) => ({
    body: await lists.change(owner, jobId, { kind: "cancel" }),
  }),
});

/** What messages to webhooks are signed with. */
export const rollWebhookSecret = free({
  ...stated,
  method: "POST",
  path: "/v1/webhook-secret",
  summary: "Make a secret for webhooks",
  description:
    "Makes the secret that messages about the ends of lists are signed with (free), and tells it this once. The one before signs beside it for a day, so that a receiver can change over without losing a message.",
  schema: {
    response: Type.Object({
      secret: text("As Standard Webhooks writes it; keep it where your other secrets are.", "whsec_…"),
    }),
  },
  handler: async (_input, { lists }, { accountId }) => ({
    body: { secret: await lists.rollSecret(accountId) },
  }),
});
