import { Type } from "typebox";
import { text } from "../../../contract/fields.ts";
import { JOB_BOUNDS, JOB_ID_PATTERN, type Job, JobSchema } from "../../../contract/jobs.ts";
import { refTo } from "../../../contract/resources.ts";
import { free } from "../../endpoint.ts";

export const JobRef = refTo<Job>(JobSchema);

/** The id of a list in a path. */
export const JobIdParameter = Type.Unsafe<string>({
  type: "string",
  pattern: JOB_ID_PATTERN,
  description: "The id of a list, from the response to its submission.",
  examples: ["job_0123456789abcdefABCDEF"],
  "x-rule": "the id of a list, such as job_0123456789abcdefABCDEF",
});

export const MaxTokensParameter = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "A cap: the list pauses before it costs more tokens than this.",
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
  summary: "List all lists",
  description: `The lists of the account, newest first (free): unfinished ones, and those whose results are still stored.`,
  schema: {
    response: Type.Object({
      jobs: Type.Array(JobRef, { description: "The lists, newest first." }),
    }),
  },
  handler: async (_input, { lists }, owner) => ({ body: { jobs: await lists.all(owner) } }),
});

/** One list. */
export const getJob = free({
  ...stated,
  method: "GET",
  path: PATH,
  summary: "Get a list's progress",
  description: "The list with its progress and its cost so far (free).",
  schema: { params, response: JobRef },
  handler: async ({ params: { jobId } }, { lists }, owner) => ({ body: await lists.get(owner, jobId) }),
});

export const pauseJob = free({
  ...stated,
  method: "POST",
  path: `${PATH}/pause`,
  summary: "Pause a list",
  description: `Stops processing the list until it is resumed (free). An unfinished list expires at its \`expiresAt\`: ${JOB_BOUNDS.openDays} days after it was submitted, ${JOB_BOUNDS.freeOpenDays} with a free plan.`,
  schema: { params, response: JobRef },
  handler: async ({ params: { jobId } }, { lists }, owner) => ({
    body: await lists.change(owner, jobId, { kind: "pause" }),
  }),
});

export const resumeJob = free({
  ...stated,
  method: "POST",
  path: `${PATH}/resume`,
  summary: "Resume a list",
  description:
    "Resumes a paused list (free) with the key of this call; maxTokens sets a new cap. A list that has reached its cap needs a higher one.",
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
    "Ends a list and deletes its numbers and results at once (free). Also works for a list that has ended. Tokens that were charged are not refunded.",
  schema: { params, response: JobRef },
  handler: async ({ params: { jobId } }, { lists }, owner) => ({
    body: await lists.change(owner, jobId, { kind: "cancel" }),
  }),
});

/** Creates the secret that signs messages to webhooks. */
export const rollWebhookSecret = free({
  ...stated,
  method: "POST",
  path: "/v1/webhook-secret",
  summary: "Create a webhook secret",
  description:
    "Creates the secret that signs webhook messages about finished lists and events (free). It is returned only here. For a day, messages are also signed with the previous secret, so that a receiver can switch without losing a message.",
  schema: {
    response: Type.Object({
      secret: text("The secret in the form of Standard Webhooks. Store it safely.", "whsec_…"),
    }),
  },
  handler: async (_input, { lists }, { accountId }) => ({
    body: { secret: await lists.rollSecret(accountId) },
  }),
});
