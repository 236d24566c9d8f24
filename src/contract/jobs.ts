/** Bulk lists: many numbers that are processed in the background. */
import { type Static, Type } from "typebox";
import { count, object, resource, text, textOfForm, word } from "./fields.ts";
import { POOLS } from "./pools.ts";
import { type Operation, PRICES } from "./prices.ts";
import type { Tier } from "./tiers.ts";

/** The operation applied to each number, or row, of a list. */
export const JOB_KINDS = [
  "lookup",
  "lookup.enriched",
  "vat",
  "match",
  "monitor",
  "insolvency",
  "peppol",
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATUSES = ["queued", "running", "paused", "completed", "cancelled", "expired"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const PAUSE_REASONS = ["allowance", "cap", "caller", "key", "account"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** The ledger operation that each number of a list is charged as. */
export const JOB_OPERATIONS = {
  lookup: "jobs.lookup",
  "lookup.enriched": "jobs.lookup.enriched",
  vat: "jobs.vat",
  match: "jobs.match",
  monitor: "monitors",
  insolvency: "jobs.insolvency",
  peppol: "jobs.peppol",
} as const satisfies Record<JobKind, Operation>;

/** The maximum cost of one number of a list, in tokens. */
export function priceOfItem(kind: JobKind): number {
  return PRICES[JOB_OPERATIONS[kind]];
}

/** Returns the maximum size of a list in bytes. */
export function maxBytesOf(kind: JobKind): number {
  return kind === "match" ? JOB_BOUNDS.maxMatchBytes : JOB_BOUNDS.maxBytes;
}

/** Limits of a list, and of all lists of an account. */
export const JOB_BOUNDS = {
  /** Maximum distinct numbers, or rows to match, in one list. */
  maxNumbers: 100_000,
  /** Maximum bytes of the request: of numbers, and of rows to match. */
  maxBytes: 8 * 1_048_576,
  maxMatchBytes: 64 * 1_048_576,
  /** Maximum unfinished lists of an account, and stored lists of an account. */
  maxOpen: 10,
  maxStored: 100,
  /**
   * Maximum lists that an account may cancel within a day. Each is remembered for a day, because it may be sent again.
   */
  maxCancelled: 1_000,
  /**
   * Days after which results are deleted, and after which an unfinished list expires (`freeOpenDays` on a free plan).
   */
  resultDays: 7,
  openDays: 35,
  freeOpenDays: 3,
} as const;

/** Numbers in lists per monthly token of an account: more could not be paid for before their list expires. */
export const NUMBERS_PER_MONTHLY_TOKEN = 20;
/** Enough for one useful list on any plan. */
export const MIN_NUMBERS_OF_ACCOUNT = 1_000;

/** Returns how many numbers an account may have in its lists, waiting or with results. */
export function maxNumbersOf(tier: Pick<Tier, "monthlyTokens"> | undefined): number {
  const byTokens = (tier?.monthlyTokens ?? 0) * NUMBERS_PER_MONTHLY_TOKEN;
  return Math.min(Math.max(byTokens, MIN_NUMBERS_OF_ACCOUNT), POOLS.lists.perAccount);
}

export const JOB_ID_PATTERN = "^job_[0-9A-Za-z]{22}$";

export const JobKindSchema = word(
  JOB_KINDS,
  "The operation for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1). `match` finds the company of each row with a name, an address or a number (1). `monitor` adds a monitor for each number (0). `insolvency` returns the insolvency of each company, where it is known (1). `peppol` returns whether each company can receive e-invoices on Peppol (1).",
);

/** The columns of a list that are read, and the ignored ones. */
export interface UsedColumns {
  readonly used: readonly { readonly column: string; readonly field: string }[];
  readonly unused: readonly string[];
}

const COLUMNS = object("The columns of a list, or its fields.", {
  used: Type.Array(
    object("A column that is read.", {
      column: text("Its heading, or its number.", "Bedrijfsnaam"),
      field: text("The field that is read from it: one of a query, or `id`.", "name"),
    }),
    { description: "The columns that are read." },
  ),
  unused: Type.Array(text("A heading.", "Opmerking"), { description: "The others, at most 100." }),
});

export const JobSchema = resource(
  "Job",
  "A list of numbers, or of rows to match, that is processed in the background.",
  {
    id: Type.Optional(
      textOfForm(JOB_ID_PATTERN, "The id of the list; absent in a dry run.", "job_0123456789abcdefABCDEF"),
    ),
    kind: JobKindSchema,
    status: Type.Optional(
      word(
        JOB_STATUSES,
        "`queued`, `running`, `paused` (see `reason`), `completed`, `cancelled`, or `expired`: it had not ended by `expiresAt`. Absent in a dry run.",
        "paused",
      ),
    ),
    reason: Type.Optional(
      word(
        PAUSE_REASONS,
        "Why it is paused. `allowance`: the tokens of the month are used up, and it resumes by itself when there are more; `cap`: maxTokens is reached; `caller`: you paused it; `key`: its key was revoked or has expired; `account`: the account is suspended.",
      ),
    ),
    counts: object("The progress of the list.", {
      sent: count("Numbers that were sent.", 1000),
      duplicates: count("Repeated numbers in the list; each number is answered and charged once.", 10),
      numbers: count("Distinct numbers to process.", 990),
      done: count("Numbers that have been processed.", 500),
      found: count("Of these, those with an answer, which costs tokens.", 480),
      failed: count("Of these, those with an error, which costs nothing.", 20),
    }),
    tokens: object("The cost of the list.", {
      estimated: count("The maximum cost of the whole list.", 990),
      charged: count("Tokens charged so far.", 480),
      max: Type.Optional(count("The cap set by the caller: the list pauses before it would exceed it.", 900)),
    }),
    columns: Type.Optional(Type.Unsafe<UsedColumns>(COLUMNS)),
    createdAt: Type.Optional(text("When it was sent, ISO 8601 UTC.", "2026-11-21T12:00:00.000Z")),
    startedAt: Type.Optional(text("When processing began.", "2026-11-21T12:00:00.200Z")),
    endedAt: Type.Optional(text("When it ended.")),
    expiresAt: Type.Optional(
      text(
        `When it expires unless it ends first, by the current plan: ${JOB_BOUNDS.openDays} days after it was sent, ${JOB_BOUNDS.freeOpenDays} with a free plan. Absent once it has ended.`,
        "2026-12-26T12:00:00.000Z",
      ),
    ),
    resultsUntil: Type.Optional(text("When its results are deleted: seven days after its end.")),
    webhook: Type.Optional(
      text("The URL that is notified when it ends.", "https://example.com/hooks/opzoek"),
    ),
  },
);
export type Job = Static<typeof JobSchema>;
