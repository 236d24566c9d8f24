import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { ApiError } from "../contract/errors.ts";
import { JOB_BOUNDS, JOB_KINDS, type Job, type JobKind, priceOfItem } from "../contract/jobs.ts";
import { inSteps } from "../lib/steps.ts";
import { known } from "../lib/values.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { problemOfWebhook } from "../webhooks/addresses.ts";
import { OLD_SECRET_SIGNS_MS, secretOf } from "../webhooks/message.ts";
import type { WebhookQueries } from "../webhooks/queries.ts";
import { refusalError } from "./bounds.ts";
import type { ReceivedList } from "./listCollector.ts";
import { invalidList } from "./listErrors.ts";
import { listId } from "./listIds.ts";
import type { Pace } from "./pace.ts";
/** The operations on lists for callers: submit, list, get, pause, resume, cancel, results. */
import type { JobQueries } from "./queries/jobs.ts";
import type { ListForm } from "./receiving.ts";
import { ReceivingPlaces } from "./receivingPlaces.ts";
import { renewStale } from "./results.ts";
import type { ListBounds, ListChange, ListLifetimes, ResultSize, StoredList } from "./stored.ts";
import type { SuppressionMark } from "./suppressionMark.ts";

/** Maximum items and characters of a stored row, and rows per write, which takes the state a few milliseconds. */
const BLOCK = 1_000;
const BLOCK_LENGTH = 262_144;
const BLOCKS_AT_ONCE = 5;

const OTHER_VERSION = "this node does not know lists of this kind until it is upgraded: try again later";

/** The options of a list. */
export interface ListTerms {
  readonly kind: JobKind;
  readonly maxTokens?: number | undefined;
  readonly webhook?: string | undefined;
}

/** The account that lists belong to. */
export interface ListAccount {
  readonly accountId: string;
  readonly tierName: string;
}

export interface ListOwner extends ListAccount {
  readonly keyId: string;
  readonly isTest?: true | undefined;
  /** A hash of the `Idempotency-Key` and the API key. */
  readonly idempotencyId?: string | undefined;
}

export interface ListsParts {
  readonly store: JobQueries;
  readonly webhooks: Pick<WebhookQueries, "rollWebhookSecret">;
  readonly bounds: ListBounds;
  readonly lifetimes: ListLifetimes;
  readonly pace: Pick<Pace, "pauseAfter">;
  readonly suppressed: Suppressed;
  readonly mark: Pick<SuppressionMark, "current">;
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: readonly string[];
  /** The secret that webhook secrets of accounts are derived from. */
  readonly serviceSecret: () => Promise<string>;
  /** Called when a list is ready to be processed. */
  readonly onListReady: () => void;
}

/** The current results of a list. The same step and mark mean the same bytes. */
export interface ResultPlan {
  readonly list: StoredList;
  readonly sizes: readonly ResultSize[];
  readonly mark: string;
}

export class Lists {
  readonly #parts: ListsParts;
  readonly #places: ReceivingPlaces;

  constructor(parts: ListsParts) {
    this.#parts = parts;
    this.#places = new ReceivingPlaces(parts.pace);
  }

  /** Reads a list and returns its maximum cost. @throws {ApiError} (the promise) if the body is not a valid list */
  async price(stream: Readable, form: ListForm, terms: ListTerms, account: ListAccount): Promise<Job> {
    return jobResource(submittedList(terms, await this.#receive(stream, form, terms, account, true)));
  }

  /**
   * Stores a list for processing. A list sent again under the same `Idempotency-Key` returns the first one in its
   * current state.
   * @throws {ApiError} (the promise) if the body is not a valid list, or the list is over a limit
   */
  async add(
    stream: Readable,
    form: ListForm,
    terms: ListTerms,
    owner: ListOwner,
  ): Promise<{ readonly job: Job; readonly isRepeated: boolean }> {
    const { idempotencyId, tierName, accountId, keyId, isTest } = owner;
    const received = await this.#receive(stream, form, terms, owner, false);
    const { store, bounds, onListReady } = this.#parts;
    const { numbers, sent } = received;
    const { kind, maxTokens, webhook } = terms;
    const ids = await inSteps(listId(idempotencyId, [kind, maxTokens, webhook, sent], numbers));
    const { id } = ids;
    const added = await store.addList(
      { ...submittedList(terms, received), ...ids, accountId, keyId, isTest },
      bounds,
    );
    if (added === "repeated") return { job: await this.get(owner, id), isRepeated: true };
    if (added !== "added") {
      const maxNumbers = bounds.maxNumbers[tierName] ?? bounds.maxNumbersOfOthers;
      throw refusalError(added, maxNumbers, this.#isFree(owner));
    }
    const blocks = blocksOf(numbers);
    for (let first = 0; first < blocks.length; first += BLOCKS_AT_ONCE) {
      await store.addNumbers(id, accountId, first, blocks.slice(first, first + BLOCKS_AT_ONCE));
    }
    const queued = await store.beginList(id);
    if (queued === undefined)
      throw new ApiError("SERVICE_UNAVAILABLE", "storing the list took too long; send it again", {
        retryAfterSeconds: 1,
      });
    onListReady();
    return { job: this.#asJob(queued, owner), isRepeated: false };
  }

  async all(account: ListAccount): Promise<readonly Job[]> {
    const lists = await this.#parts.store.lists(account.accountId);
    return lists.map((list) => this.#asJob(list, account));
  }

  /** @throws {ApiError} NOT_FOUND (the promise) */
  async get(account: ListAccount, id: string): Promise<Job> {
    return this.#asJob(await this.#stored(account.accountId, id), account);
  }

  /** @throws {ApiError} (the promise) NOT_FOUND, or INVALID_REQUEST if the list's state does not allow the change */
  async change(account: ListAccount, id: string, change: ListChange): Promise<Job> {
    const changed = await this.#parts.store.changeList(account.accountId, id, change);
    if (changed === undefined) throw listNotFound(id);
    if (changed === "ended")
      throw invalidList(`the list ${id} has ended: it can be neither paused nor resumed`);
    if (changed === "cap")
      throw invalidList("the list has reached its cap: resume it with a higher maxTokens");
    if (change.kind === "resume") this.#parts.onListReady();
    return this.#asJob(changed, account);
  }

  /**
   * Returns the results so far, without companies that are suppressed now.
   * @throws {ApiError} NOT_FOUND (the promise)
   */
  async results(accountId: string, id: string): Promise<ResultPlan> {
    const { store, suppressed } = this.#parts;
    const list = await this.#stored(accountId, id);
    if (!JOB_KINDS.includes(list.kind))
      throw new ApiError("SERVICE_UNAVAILABLE", OTHER_VERSION, { retryAfterSeconds: 60 });
    const mark = await this.#parts.mark.current();
    for (;;) {
      while (await renewStale(store, suppressed, mark, id)) {
        // In small steps, so that other users of the state do not wait.
      }
      const sizes = await store.resultSizes(id);
      // A node with an older suppression list may have stored results in the meantime.
      if (sizes.every((size) => size.mark === mark)) return { list, sizes, mark };
    }
  }

  /** Returns the lines of one step; undefined when they were deleted. */
  async linesOf(id: string, step: number): Promise<string | undefined> {
    return (await this.#parts.store.results(id, step))?.lines;
  }

  /** Creates a new webhook secret, which is returned only here. The previous one also signs for a day. */
  async rollSecret(accountId: string): Promise<string> {
    const { webhooks, serviceSecret } = this.#parts;
    const seed = randomBytes(16).toString("hex");
    await webhooks.rollWebhookSecret(accountId, seed, OLD_SECRET_SIGNS_MS);
    return secretOf(await serviceSecret(), accountId, seed);
  }

  async #stored(accountId: string, id: string): Promise<StoredList> {
    const list = await this.#parts.store.list(accountId, id);
    if (list === undefined) throw listNotFound(id);
    return list;
  }

  #isFree({ tierName }: ListAccount): boolean {
    return this.#parts.bounds.freeTiers.includes(tierName);
  }

  #receive(
    stream: Readable,
    form: ListForm,
    { kind, webhook }: ListTerms,
    account: ListAccount,
    isDryRun: boolean,
  ): Promise<ReceivedList> {
    const problem =
      webhook === undefined ? undefined : problemOfWebhook(webhook, this.#parts.webhookNetworks);
    if (problem !== undefined) throw invalidList(`webhook ${problem}`);
    const sender = { accountId: account.accountId, isFree: this.#isFree(account), isDryRun };
    return this.#places.receive(stream, form, kind, sender);
  }

  #asJob(list: StoredList, account: ListAccount): Job {
    const { endedAtMs, startedAtMs } = list;
    const { resultsMs, openMs, freeOpenMs } = this.#parts.lifetimes;
    const hasResults = list.status !== "cancelled" && endedAtMs !== undefined;
    const expiresAtMs = list.createdAtMs + (this.#isFree(account) ? freeOpenMs : openMs);
    return {
      id: list.id,
      status: list.status,
      ...(list.reason !== undefined && { reason: list.reason }),
      ...jobResource(list),
      createdAt: iso(list.createdAtMs),
      ...(startedAtMs !== undefined && { startedAt: iso(startedAtMs) }),
      ...(endedAtMs === undefined ? { expiresAt: iso(expiresAtMs) } : { endedAt: iso(endedAtMs) }),
      ...(hasResults && { resultsUntil: iso(endedAtMs + resultsMs) }),
    };
  }
}

function blocksOf(items: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  let length = BLOCK_LENGTH;
  for (const item of items) {
    length += item.length;
    if (length > BLOCK_LENGTH || blocks.at(-1)?.length === BLOCK) {
      blocks.push([]);
      length = item.length;
    }
    blocks.at(-1)?.push(item);
  }
  return blocks;
}

/** A list as submitted, before any result. */
function submittedList(terms: ListTerms, { numbers, sent, payable, columns }: ReceivedList) {
  const estimated = payable * priceOfItem(terms.kind);
  const counts = { sent, duplicates: sent - numbers.length, estimated, found: 0, failed: 0, charged: 0 };
  return { ...terms, ...counts, ...known("columns", columns) };
}

/** The part of a job that a stored list and a dry run share. */
function jobResource(
  list: ListTerms &
    Pick<StoredList, "sent" | "duplicates" | "estimated" | "found" | "failed" | "charged" | "columns">,
): Pick<Job, "kind" | "counts" | "tokens" | "webhook" | "columns"> {
  const { kind, sent, duplicates, found, failed, estimated, charged, maxTokens, webhook } = list;
  return {
    kind,
    counts: { sent, duplicates, numbers: sent - duplicates, done: found + failed, found, failed },
    tokens: { estimated, charged, ...(maxTokens !== undefined && { max: maxTokens }) },
    ...(webhook !== undefined && { webhook }),
    ...known("columns", list.columns),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function listNotFound(id: string): ApiError {
  return new ApiError(
    "NOT_FOUND",
    `this account has no list ${id}; results are deleted after ${JOB_BOUNDS.resultDays} days`,
  );
}
