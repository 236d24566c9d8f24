/** Lists as their callers know them: sent, watched, paused, fetched. */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { ApiError } from "../contract/errors.ts";
import { JOB_BOUNDS, type Job, type JobKind, priceOfNumber } from "../contract/jobs.ts";
import { POOLS } from "../contract/pools.ts";
import { inTurns } from "../lib/steps.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { listId } from "./listIds.ts";
import { type ListForm, type ReceivedList, receiveList } from "./receiving.ts";
import { renewStale } from "./renewing.ts";
import type { EarlierList, JobStore, ListChange, ListRefusal, ResultSize, StoredList } from "./store.ts";
import type { SuppressionMark } from "./suppressionMark.ts";
import { problemOfWebhook } from "./webhooks/addresses.ts";
import { OLD_SECRET_SIGNS_MS, secretOf } from "./webhooks/signing.ts";

const DAY_MS = 86_400_000;
/** Numbers in one row of what is kept, and rows that are written at once: a few milliseconds of the state. */
const BLOCK = 1_000;
const BLOCKS_AT_ONCE = 5;
const RECEIVING_RETRY_SECONDS = 5;
const FULL_RETRY_SECONDS = 3_600;

/** What a caller says of a list beside its numbers. */
export interface ListTerms {
  readonly kind: JobKind;
  readonly maxTokens?: number | undefined;
  readonly webhook?: string | undefined;
}

export interface ListOwner {
  readonly accountId: string;
  readonly keyId: string;
  readonly isTest?: true | undefined;
  /** Stands for the `Idempotency-Key` that the list is sent under, and its API key. */
  readonly onceId?: string | undefined;
}

export interface ListsParts {
  readonly store: JobStore;
  readonly suppressed: Suppressed;
  readonly mark: Pick<SuppressionMark, "current">;
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: readonly string[];
  /** What secrets of accounts are made of. */
  readonly serviceSecret: () => Promise<string>;
  /** Told when a list waits to be worked on. */
  readonly onBegun: () => void;
}

/** The results of a list as they are now: the same step and mark stand for the same bytes. */
export interface ResultPlan {
  readonly list: StoredList;
  readonly sizes: readonly ResultSize[];
  readonly mark: string;
}

export class Lists {
  readonly #parts: ListsParts;
  /** The account of each list that is being received. */
  readonly #receiving: string[] = [];

  constructor(parts: ListsParts) {
    this.#parts = parts;
  }

  /** Reads a list, and tells what it would cost. @throws {ApiError} (the promise) for what is no list */
  async price(
    stream: Readable,
    form: ListForm,
    terms: ListTerms,
    { accountId }: Pick<ListOwner, "accountId">,
  ): Promise<Job> {
    this.#checkWebhook(terms);
    return pricedJob(terms, await this.#receive(stream, form, terms.kind, accountId));
  }

  /**
   * Takes a list, to be worked on from now on; one that was taken already, under the same `Idempotency-Key`, is told as it is by now.
   * @throws {ApiError} (the promise) for what is no list, or beyond the bounds
   */
  async add(
    stream: Readable,
    form: ListForm,
    terms: ListTerms,
    { onceId, ...owner }: ListOwner,
  ): Promise<{ readonly job: Job; readonly isRepeated: boolean }> {
    this.#checkWebhook(terms);
    const received = await this.#receive(stream, form, terms.kind, owner.accountId);
    const { store, onBegun } = this.#parts;
    const { numbers, sent } = received;
    const { kind, maxTokens, webhook } = terms;
    const { id, idBegins } = await inTurns(listId(onceId, [kind, maxTokens, webhook, sent], numbers));
    const estimated = pricedJob(terms, received).tokens.estimated;
    const list = { ...terms, ...owner, id, idBegins, sent, duplicates: sent - numbers.length, estimated };
    const added = await store.addList(list, JOB_BOUNDS);
    if (added === "repeated") return { job: await this.one(owner.accountId, id), isRepeated: true };
    if (added !== "added") throw refused(added);
    const blocks = Array.from({ length: Math.ceil(numbers.length / BLOCK) }, (_, index) =>
      numbers.slice(index * BLOCK, (index + 1) * BLOCK),
    );
    for (let first = 0; first < blocks.length; first += BLOCKS_AT_ONCE) {
      await store.addNumbers(id, owner.accountId, first, blocks.slice(first, first + BLOCKS_AT_ONCE));
    }
    const begun = await store.beginList(id);
    if (begun === undefined)
      throw new ApiError("SERVICE_UNAVAILABLE", "the list took too long to be kept; send it again", {
        retryAfterSeconds: 1,
      });
    onBegun();
    return { job: asJob(begun), isRepeated: false };
  }

  async all(accountId: string): Promise<readonly Job[]> {
    return (await this.#parts.store.lists(accountId)).map(asJob);
  }

  /** @throws {ApiError} NOT_FOUND (the promise) */
  async one(accountId: string, id: string): Promise<Job> {
    return asJob(await this.#stored(accountId, id));
  }

  /** @throws {ApiError} NOT_FOUND, or INVALID_REQUEST for what such a list cannot do (the promise) */
  async change(accountId: string, id: string, change: ListChange): Promise<Job> {
    const changed = await this.#parts.store.changeList(accountId, id, change);
    if (changed === undefined) throw unknown(id);
    if (changed === "ended") throw bad(`the list ${id} has ended: it can be neither paused nor resumed`);
    if (changed === "cap") throw bad("the list has reached its cap: resume it with a higher maxTokens");
    if (change.kind === "resume") this.#parts.onBegun();
    return asJob(changed);
  }

  /** What results there are now, held against the suppression list of now. @throws {ApiError} NOT_FOUND (the promise) */
  async results(accountId: string, id: string): Promise<ResultPlan> {
    const { store } = this.#parts;
    const list = await this.#stored(accountId, id);
    const mark = await this.#parts.mark.current();
    for (;;) {
      while (await renewStale(this.#parts, mark, id)) {
        // A few at once: others want the state too.
      }
      const sizes = await store.resultSizes(id);
      // A node that does not know the list yet may work on this one meanwhile.
      if (sizes.every((size) => size.mark === mark)) return { list, sizes, mark };
    }
  }

  /** The lines of one step; undefined when they are gone. */
  async linesOf(id: string, step: number): Promise<string | undefined> {
    return (await this.#parts.store.results(id, step))?.lines;
  }

  /** A new secret for messages to an account's webhooks, told once; the one before signs on for a day. */
  async rollSecret(accountId: string): Promise<string> {
    const { store, serviceSecret } = this.#parts;
    const seed = randomBytes(16).toString("hex");
    await store.rollWebhookSecret(accountId, seed, OLD_SECRET_SIGNS_MS);
    return secretOf(await serviceSecret(), accountId, seed);
  }

  async #stored(accountId: string, id: string): Promise<StoredList> {
    const list = await this.#parts.store.list(accountId, id);
    if (list === undefined) throw unknown(id);
    return list;
  }

  async #receive(stream: Readable, form: ListForm, kind: JobKind, accountId: string): Promise<ReceivedList> {
    const own = this.#receiving.filter((one) => one === accountId).length;
    if (this.#receiving.length >= POOLS.receiving.places || own >= POOLS.receiving.perAccount) {
      const whose = own >= POOLS.receiving.perAccount ? " of this account" : "";
      throw new ApiError(
        "SERVICE_UNAVAILABLE",
        `too many lists${whose} are being received; try again in some seconds`,
        { retryAfterSeconds: RECEIVING_RETRY_SECONDS },
      );
    }
    this.#receiving.push(accountId);
    try {
      return await receiveList(stream, form, kind);
    } finally {
      this.#receiving.splice(this.#receiving.indexOf(accountId), 1);
    }
  }

  #checkWebhook({ webhook }: ListTerms): void {
    const problem = webhook && problemOfWebhook(webhook, this.#parts.webhookNetworks);
    if (problem !== undefined) throw bad(`webhook ${problem}`);
  }
}

function pricedJob({ kind, maxTokens, webhook }: ListTerms, { numbers, sent, payable }: ReceivedList): Job {
  return {
    kind,
    counts: {
      sent,
      duplicates: sent - numbers.length,
      numbers: numbers.length,
      done: 0,
      found: 0,
      failed: 0,
    },
    tokens: {
      estimated: payable * priceOfNumber(kind),
      charged: 0,
      ...(maxTokens !== undefined && { max: maxTokens }),
    },
    ...(webhook !== undefined && { webhook }),
  };
}

function asJob(list: StoredList): Job {
  const { sent, duplicates, found, failed, estimated, charged, maxTokens, endedAtMs, startedAtMs } = list;
  const hasResults = list.status !== "cancelled" && endedAtMs !== undefined;
  return {
    id: list.id,
    kind: list.kind,
    status: list.status,
    ...(list.reason !== undefined && { reason: list.reason }),
    counts: { sent, duplicates, numbers: sent - duplicates, done: found + failed, found, failed },
    tokens: { estimated, charged, ...(maxTokens !== undefined && { max: maxTokens }) },
    createdAt: iso(list.createdAtMs),
    ...(startedAtMs !== undefined && { startedAt: iso(startedAtMs) }),
    ...(endedAtMs !== undefined && { endedAt: iso(endedAtMs) }),
    ...(hasResults && { resultsUntil: iso(endedAtMs + JOB_BOUNDS.resultDays * DAY_MS) }),
    ...(list.webhook !== undefined && { webhook: list.webhook }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function unknown(id: string): ApiError {
  return new ApiError(
    "NOT_FOUND",
    `this account has no list ${id}; results are kept for ${JOB_BOUNDS.resultDays} days`,
  );
}

function bad(message: string): ApiError {
  return new ApiError("INVALID_REQUEST", message);
}

type Refusal = ListRefusal | Exclude<EarlierList, "repeated">;

function refused(why: Refusal): ApiError {
  const { mostOpen, mostKept, mostCancelled, mostNumbersOfAccount } = JOB_BOUNDS;
  const told: Readonly<Record<Refusal, ApiError>> = {
    open: new ApiError(
      "FORBIDDEN",
      `an account may have ${mostOpen} lists that have not ended: wait for one, or cancel it`,
    ),
    kept: new ApiError(
      "FORBIDDEN",
      `${mostKept} lists of an account are kept: cancel some whose results you have`,
    ),
    cancelled: new ApiError(
      "FORBIDDEN",
      `an account may cancel ${mostCancelled} lists within a day: wait until some of them are a day old`,
    ),
    numbers: new ApiError(
      "FORBIDDEN",
      `${mostNumbersOfAccount} numbers of an account are kept, with their results: cancel lists whose results you have`,
    ),
    full: new ApiError(
      "SERVICE_UNAVAILABLE",
      "this service keeps as many lists as it may; try again in an hour",
      {
        retryAfterSeconds: FULL_RETRY_SECONDS,
      },
    ),
    another: new ApiError(
      "CONFLICT",
      "another list was sent with this Idempotency-Key: give each list a key of its own",
    ),
    receiving: new ApiError(
      "CONFLICT",
      "the same list is being received; repeat it with its Idempotency-Key in some seconds",
      { retryAfterSeconds: RECEIVING_RETRY_SECONDS },
    ),
    "no-secret": bad(
      "a webhook needs a secret to be signed with: POST /v1/webhook-secret tells a new one, once",
    ),
  };
  return told[why];
}
