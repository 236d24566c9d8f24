/** Lists of many numbers that are worked off by and by, as their callers see them. */
import { type Static, Type } from "typebox";
import { POOLS } from "./pools.ts";
import { type Operation, PRICES } from "./prices.ts";
import type { Tier } from "./tiers.ts";

/** What is asked of each number of a list. */
export const JOB_KINDS = ["lookup", "lookup.enriched", "vat"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATUSES = ["queued", "running", "paused", "completed", "cancelled", "expired"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const PAUSE_REASONS = ["allowance", "cap", "caller", "key", "account"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** What the numbers of a list are filed under in the ledger, each at the price of that. */
export const JOB_OPERATIONS = {
  lookup: "jobs.lookup",
  "lookup.enriched": "jobs.lookup.enriched",
  vat: "jobs.vat",
} as const satisfies Record<JobKind, Operation>;

/** What a number of a list costs at most. */
export function priceOfNumber(kind: JobKind): number {
  return PRICES[JOB_OPERATIONS[kind]];
}

/** Bounds of a list, and of all lists of an account. */
export const JOB_BOUNDS = {
  /** Numbers in one list, each counted once, and bytes of it as it is sent. */
  mostNumbers: 100_000,
  mostBytes: 8 * 1_048_576,
  /** Lists of an account that have not ended, and lists that are kept of it. */
  mostOpen: 10,
  mostKept: 100,
  /** Lists of an account that it cancelled within a day: each is remembered for so long, as it may be sent again. */
  mostCancelled: 1_000,
  /** How long results are kept, and after how long a list that has not ended expires: one of a free plan sooner. */
  resultDays: 7,
  openDays: 35,
  freeOpenDays: 3,
} as const;

/** The numbers that an account may keep in lists follow the tokens it has a month: more would not be answered before their list expires. */
export const NUMBERS_PER_MONTHLY_TOKEN = 20;
/** One useful list, however few tokens a plan has. */
export const MIN_NUMBERS_OF_ACCOUNT = 1_000;

/** Returns how many numbers an account of a plan may keep in its lists, waiting or with their results. */
export function maxNumbersOf(tier: Pick<Tier, "monthlyTokens"> | undefined): number {
  const byTokens = (tier?.monthlyTokens ?? 0) * NUMBERS_PER_MONTHLY_TOKEN;
  return Math.min(Math.max(byTokens, MIN_NUMBERS_OF_ACCOUNT), POOLS.lists.perAccount);
}

export const JOB_ID_PATTERN = "^job_[0-9A-Za-z]{22}$";

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const moment = (description: string, example?: string) =>
  Type.String({ description, ...(example !== undefined && { examples: [example] }) });

const oneOf = <T extends string>(values: readonly T[], description: string, example = values[0]) =>
  Type.Unsafe<T>({ type: "string", enum: [...values], description, examples: [example] });

export const JobKindSchema = oneOf(
  JOB_KINDS,
  "What is asked of each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1).",
);

const JobCountsSchema = Type.Object(
  {
    sent: count("Numbers that were sent.", 1000),
    duplicates: count(
      "Those of them that were sent before in the same list: each is answered and charged once.",
      10,
    ),
    numbers: count("Numbers to be answered.", 990),
    done: count("Numbers that have their result.", 500),
    found: count("Those with an answer, which is what costs tokens.", 480),
    failed: count("Those with an error, which costs nothing.", 20),
  },
  { additionalProperties: false, description: "How far the list is." },
);

const JobTokensSchema = Type.Object(
  {
    estimated: count("What the whole list costs at most.", 990),
    charged: count("What was charged so far.", 480),
    max: Type.Optional(count("The cap that its caller set: the list pauses before it would be passed.", 900)),
  },
  { additionalProperties: false, description: "What the list costs." },
);

export const JobSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: JOB_ID_PATTERN,
        description: "Names the list; absent when only its price was asked.",
        examples: ["job_0123456789abcdefABCDEF"],
      }),
    ),
    kind: JobKindSchema,
    status: Type.Optional(
      oneOf(
        JOB_STATUSES,
        "`queued`, `running`, `paused` (see `reason`), `completed`, `cancelled`, or `expired`: it had not ended by `expiresAt`. Absent when only the price was asked.",
        "paused",
      ),
    ),
    reason: Type.Optional(
      oneOf(
        PAUSE_REASONS,
        "Why it is paused. `allowance`: the tokens of the month are used up, it goes on by itself when there are more; `cap`: maxTokens is reached; `caller`: you asked for it; `key`: its key was revoked or has expired; `account`: the account is suspended.",
      ),
    ),
    counts: JobCountsSchema,
    tokens: JobTokensSchema,
    createdAt: Type.Optional(moment("When it was sent, ISO 8601 UTC.", "2026-11-21T12:00:00.000Z")),
    startedAt: Type.Optional(moment("When work on it began.", "2026-11-21T12:00:00.200Z")),
    endedAt: Type.Optional(moment("When it ended.")),
    expiresAt: Type.Optional(
      moment(
        `When it expires unless it ends first, by the current plan: ${JOB_BOUNDS.openDays} days after it was sent, ${JOB_BOUNDS.freeOpenDays} with a free plan. Absent once it has ended.`,
        "2026-12-26T12:00:00.000Z",
      ),
    ),
    resultsUntil: Type.Optional(moment("Until when its results can be fetched: seven days after its end.")),
    webhook: Type.Optional(
      Type.String({
        description: "Where its end is told.",
        examples: ["https://example.com/hooks/opzoek"],
      }),
    ),
  },
  {
    additionalProperties: false,
    $id: "Job",
    title: "Job",
    description: "A list of numbers that is worked off by and by.",
  },
);
export type Job = Static<typeof JobSchema>;
