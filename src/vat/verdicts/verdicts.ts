import { setTimeout as pause } from "node:timers/promises";
import { withTimeout } from "../../lib/deadline.ts";
import { SingleFlight } from "../../lib/singleFlight.ts";
import { StoredCache } from "../../lib/storedCache.ts";
import { known } from "../../lib/values.ts";
import type { ObserveWait } from "../../upstream/observe.ts";
import type { CheckedVatNumber } from "../numbers/parse.ts";
import type { VerdictQueries } from "../queries.ts";
import type { CachedAnswer, CachedAnswers } from "../stored.ts";
import { TIMED_OUT, UNREADABLE } from "../vies/codes.ts";
import type { NoViesAnswer, ViesAnswer, ViesResult } from "../vies/results.ts";
import type { Requester, ViesUpstream } from "../vies/upstream.ts";
import { contradicts, type Lifetimes, type Verdict, verdict, verdictAtOnce } from "./verdict.ts";

export interface VerdictsOptions {
  readonly store: VerdictQueries;
  /** Returns the result of VIES on a number before the deadline ends. Never rejects. */
  readonly ask: ViesUpstream["check"];
  readonly lifetimes: Lifetimes;
  /** How long a caller waits for VIES at most, retries included, milliseconds. */
  readonly deadlineMs: number;
  /** How long the callers of a batch wait, for all its numbers together. */
  readonly batchDeadlineMs: number;
  readonly now?: () => number;
  /** Observes the waits for VIES. */
  readonly observe?: ObserveWait | undefined;
  /**
   * The pause before a refusal of a number that was valid is confirmed: a failing register may have recovered.
   * Milliseconds.
   */
  readonly confirmAfterMs?: number;
}

/** A consultation in the name of a requester. */
export interface Consulted {
  readonly verdict: Verdict;
  readonly consultationNumber?: string;
}

/** The account that asks, and the requester in whose name it does. */
interface Consulting {
  readonly requester: Requester;
  readonly accountId: string;
}

/** The result of a request to VIES, and the answers that were stored before it. */
interface FlightResult {
  readonly result: ViesResult;
  readonly stored: CachedAnswers | undefined;
}

const MAX_IN_MEMORY = 20_000;
const CONFIRM_AFTER_MS = 500;
const FORGET_EVERY_MS = 60_000;
/** Deletes at most 100,000 answers a minute, more than arrive in one. */
const MAX_FORGET_STEPS = 200;

/**
 * Verdicts on VAT numbers: from a stored answer while it is fresh, else by a request to VIES. There is one request at a
 * time for each number, and for each requester and account, however many callers wait. An answer is stored before any
 * caller gets it.
 */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #now: () => number;
  readonly #cache: StoredCache<CachedAnswers>;
  readonly #flights = new SingleFlight<FlightResult>();
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: VerdictsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new StoredCache({
      maxInMemory: MAX_IN_MEMORY,
      read: (vatNumbers) => options.store.findVerdicts(vatNumbers),
      isNewer: (one, other) => one.last.receivedAtMs > other.last.receivedAtMs,
    });
  }

  /** Returns the verdict that this process can give without reading the store. */
  fromMemory(number: CheckedVatNumber, maxAgeMs?: number): Verdict | undefined {
    const stored = this.#cache.get(number.vatNumber);
    return verdictAtOnce(number, stored, this.#now(), this.#options.lifetimes, maxAgeMs);
  }

  /**
   * Returns the verdicts that can be given without VIES, in the order of the numbers; undefined where VIES must be
   * asked.
   */
  async fromStore(numbers: readonly CheckedVatNumber[], maxAgeMs?: number): Promise<(Verdict | undefined)[]> {
    const verdicts = numbers.map((number) => this.fromMemory(number, maxAgeMs));
    const missing = numbers.filter((_, index) => verdicts[index] === undefined);
    if (missing.length === 0) return verdicts;
    await this.#read(missing);
    return numbers.map((number, index) => verdicts[index] ?? this.fromMemory(number, maxAgeMs));
  }

  /**
   * Returns the verdict by asking VIES, within the deadline.
   * @throws {StoreUnavailable} when the answer cannot be stored
   */
  async fromVies(number: CheckedVatNumber, deadlineMs = this.#options.deadlineMs): Promise<Verdict> {
    const { result, stored } = await this.#within(deadlineMs, number, undefined);
    return this.#verdict(number, result, stored);
  }

  /** Returns the verdicts of a batch by asking VIES about all at once, within the batch's deadline. */
  async ofBatchFromVies(numbers: readonly CheckedVatNumber[]): Promise<Verdict[]> {
    return await Promise.all(numbers.map((number) => this.fromVies(number, this.#options.batchDeadlineMs)));
  }

  /**
   * Returns the verdict by asking VIES in the name of a requester, for one account. When VIES does not answer, an
   * earlier answer is used, with its consultation number if that account asked for it in the same name.
   * @returns the reason when VIES refuses the requester
   */
  async consult(
    number: CheckedVatNumber,
    requester: Requester,
    accountId: string,
  ): Promise<Consulted | { readonly requesterRefused: string }> {
    const { result, stored } = await this.#within(this.#options.deadlineMs, number, { requester, accountId });
    if (result.kind === "requester-refused") return { requesterRefused: result.reason };
    const verdict = this.#verdict(number, result, stored);
    if (verdict.status !== "validated" && verdict.status !== "stale") return { verdict };
    if (result.kind === "answer") {
      return { verdict, ...known("consultationNumber", result.consultationNumber) };
    }
    const earlier = await this.#options.store.consultation(accountId, number.vatNumber, nameOf(requester));
    const isSame = earlier?.validatedAt === verdict.validatedAt;
    return { verdict, ...(isSame && { consultationNumber: earlier.consultationNumber }) };
  }

  #verdict(number: CheckedVatNumber, result: ViesResult, stored: CachedAnswers | undefined): Verdict {
    // Only requests with a requester can be refused for it; otherwise treat it as no answer.
    const answer: ViesAnswer | NoViesAnswer = result.kind === "requester-refused" ? UNREADABLE : result;
    return verdict(number, answer, stored, this.#now(), this.#options.lifetimes);
  }

  /** Waits for the request about a number, but no longer than the caller may; the request goes on for others. */
  async #within(
    deadlineMs: number,
    number: CheckedVatNumber,
    consulting: Consulting | undefined,
  ): Promise<FlightResult> {
    // Never sent: the verdict is `malformed` whatever the result.
    if (number.check.isMalformed) return { result: TIMED_OUT, stored: undefined };
    const { observe = (work) => work() } = this.#options;
    const by = consulting === undefined ? "" : `${nameOf(consulting.requester)} ${consulting.accountId}`;
    const flight = observe(
      () =>
        this.#flights.run(`${number.vatNumber} ${by}`, () =>
          this.#ask(AbortSignal.timeout(deadlineMs), number, consulting),
        ),
      ({ result }) => result.kind,
    );
    const inTime = await withTimeout(deadlineMs, flight);
    return inTime ?? { result: TIMED_OUT, stored: (await this.#read([number]))[0] };
  }

  /** Asks VIES, a second time where a refusal must be confirmed, and stores its answer. */
  async #ask(
    deadline: AbortSignal,
    number: CheckedVatNumber,
    consulting: Consulting | undefined,
  ): Promise<FlightResult> {
    const { ask, lifetimes, confirmAfterMs = CONFIRM_AFTER_MS } = this.#options;
    let result = await ask(number, consulting?.requester, deadline);
    // Read after the result arrived: another request or process may have stored a newer answer in the meantime.
    const [stored] = await this.#read([number]);
    if (result.kind === "answer" && contradicts(result, stored, this.#now(), lifetimes)) {
      await pause(confirmAfterMs);
      result = await ask(number, consulting?.requester, deadline);
    }
    if (result.kind === "answer") await this.#store(number, result, stored, consulting);
    return { result, stored };
  }

  async #store(
    { vatNumber }: CheckedVatNumber,
    { valid, validatedAt, name, address, consultationNumber }: ViesAnswer,
    stored: CachedAnswers | undefined,
    consulting: Consulting | undefined,
  ): Promise<void> {
    const { store } = this.#options;
    const receivedAtMs = this.#now();
    const texts = { ...known("name", name), ...known("address", address) };
    const last: CachedAnswer = { valid, validatedAt, receivedAtMs, ...texts };
    const lastPositive = valid ? last : stored?.lastPositive;
    await this.#cache.keep(
      vatNumber,
      () => store.storeVerdict(vatNumber, last),
      () => ({ last, ...known("lastPositive", lastPositive) }),
    );
    if (consulting !== undefined && consultationNumber !== undefined) {
      const { requester, accountId } = consulting;
      await store.storeConsultation({
        accountId,
        vatNumber,
        requester: nameOf(requester),
        validatedAt,
        consultationNumber,
        receivedAtMs,
      });
    }
    this.#forget(receivedAtMs);
  }

  /** Deletes answers that are too old to be used, at most once a minute. No caller waits for it. */
  #forget(nowMs: number): void {
    if (nowMs - this.#forgotAtMs < FORGET_EVERY_MS) return;
    this.#forgotAtMs = nowMs;
    const { lifetimes } = this.#options;
    const neededForMs = Math.max(lifetimes.staleForMs, lifetimes.freshForMs, lifetimes.refusalFreshForMs);
    this.#forgetBefore(nowMs - neededForMs).catch(() => {
      this.#forgotAtMs = Number.NEGATIVE_INFINITY;
    });
  }

  /** Deletes in steps, so that no call waits long for the store. */
  async #forgetBefore(beforeMs: number): Promise<void> {
    for (let step = 0; step < MAX_FORGET_STEPS; step++) {
      if (!(await this.#options.store.deleteVerdicts(beforeMs))) return;
    }
  }

  /** Reads the stored answers on numbers, which are in memory afterwards. */
  #read(numbers: readonly CheckedVatNumber[]): Promise<(CachedAnswers | undefined)[]> {
    return this.#cache.read(numbers.map(({ vatNumber }) => vatNumber));
  }
}

function nameOf({ countryCode, national }: Requester): string {
  return countryCode + national;
}
