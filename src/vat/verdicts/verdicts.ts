import { setTimeout as pause } from "node:timers/promises";
import { withTimeout } from "../../lib/deadline.ts";
import { SingleFlightCache } from "../../lib/singleFlightCache.ts";
import { checkVatNumber } from "../numbers/check.ts";
import type { VatNumber } from "../numbers/parse.ts";
import { NOT_ASKED, TIMED_OUT, UNREADABLE } from "../vies/codes.ts";
import type { NoAnswer, ViesAnswer, ViesResult } from "../vies/results.ts";
import type { Requester } from "../vies/upstream.ts";
import type { CachedAnswers, Consultation, KeptAnswer, VerdictStore } from "./store.ts";
import { contradicts, type Lifetimes, type Verdict, verdict, verdictAtOnce } from "./verdict.ts";

export interface VerdictsOptions {
  readonly store: VerdictStore;
  /** VIES's result on a number before `deadline` ends. Never rejects. */
  readonly ask: (
    number: VatNumber,
    requester: Requester | undefined,
    deadline: AbortSignal,
  ) => Promise<ViesResult>;
  /** Whether VIES would be asked about a number now; always, unless it is given. */
  readonly permits?: (number: VatNumber) => boolean;
  readonly lifetimes: Lifetimes;
  /** How long a caller waits for VIES at most, retries included, milliseconds. */
  readonly deadlineMs: number;
  /** How long the callers of a batch wait, for all its numbers together. */
  readonly batchDeadlineMs: number;
  readonly now?: () => number;
  /** Before a refusal of what was valid is asked again: a sick register may have recovered. Milliseconds. */
  readonly confirmAfterMs?: number;
}

/** A consultation in the name of a requester. */
export interface Consulted {
  readonly verdict: Verdict;
  readonly consultationNumber?: string;
}

/** What a flight to VIES brought, and what was held of the number by then. */
interface FlightResult {
  readonly result: ViesResult;
  readonly held: CachedAnswers | undefined;
}

/** A fresh verdict should cost no question to the store. */
const MOST_IN_MEMORY = 20_000;
const CONFIRM_AFTER_MS = 500;
const FORGET_EVERY_MS = 60_000;

/**
 * Verdicts on VAT numbers: from what is held while it is fresh, else from VIES, each number asked once however many
 * callers wait for it, and kept before anybody is told.
 */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #now: () => number;
  readonly #cache: SingleFlightCache<CachedAnswers, FlightResult>;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: VerdictsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new SingleFlightCache({
      mostInMemory: MOST_IN_MEMORY,
      read: (vatNumbers) => options.store.findVerdicts(vatNumbers),
      isNewer: (one, other) => one.last.receivedAtMs > other.last.receivedAtMs,
    });
  }

  /** The verdict that this process can give without asking anybody, the store included. */
  fromMemory(number: VatNumber, maxAgeMs?: number): Verdict | undefined {
    const held = this.#cache.get(number.vatNumber);
    return verdictAtOnce(number, held, this.#now(), this.#options.lifetimes, maxAgeMs);
  }

  /**
   * The verdicts that can be given without asking VIES, in the order of the numbers; undefined where it must be asked.
   * While calls are kept away from VIES that is an earlier answer, or none: nobody waits for what is known to be dead.
   */
  async fromStore(numbers: readonly VatNumber[], maxAgeMs?: number): Promise<(Verdict | undefined)[]> {
    const verdicts = numbers.map((number) => this.fromMemory(number, maxAgeMs));
    const missing = numbers.filter((_, index) => verdicts[index] === undefined);
    if (missing.length === 0) return verdicts;
    await this.#read(missing);
    return numbers.map(
      (number, index) => verdicts[index] ?? this.fromMemory(number, maxAgeMs) ?? this.#whileKeptAway(number),
    );
  }

  /** The verdict without VIES when it would not be asked now; undefined when it would. */
  #whileKeptAway(number: VatNumber): Verdict | undefined {
    if (this.#options.permits?.(number) !== false) return undefined;
    return this.#verdict(number, NOT_ASKED, this.#cache.get(number.vatNumber));
  }

  /** The verdict by asking VIES, within the deadline. @throws {StoreUnavailable} when it cannot be kept */
  async fromVies(number: VatNumber): Promise<Verdict> {
    const { result, held } = await this.#within(this.#options.deadlineMs, number, undefined);
    return this.#verdict(number, result, held);
  }

  /** The verdicts of a batch by asking VIES side by side, all within the batch's deadline. */
  async ofBatchFromVies(numbers: readonly VatNumber[]): Promise<Verdict[]> {
    return await Promise.all(
      numbers.map(async (number) => {
        const { result, held } = await this.#within(this.#options.batchDeadlineMs, number, undefined);
        return this.#verdict(number, result, held);
      }),
    );
  }

  /**
   * The verdict by asking VIES in the name of a requester, for one account alone. When VIES has no answer, an earlier
   * one stands in, with its consultation number if that account had asked for it in the same name.
   * @returns the reason when VIES refuses the requester
   */
  async consult(
    number: VatNumber,
    requester: Requester,
    accountId: string,
  ): Promise<Consulted | { readonly requesterRefused: string }> {
    const { result, held } = await this.#within(this.#options.deadlineMs, number, { requester, accountId });
    if (result.kind === "requester-refused") return { requesterRefused: result.reason };
    const told = this.#verdict(number, result, held);
    if (told.status !== "validated" && told.status !== "stale") return { verdict: told };
    const consultationNumber =
      result.kind === "answer"
        ? result.consultationNumber
        : await this.#earlierConsultation(number, requester, accountId, told.validatedAt);
    return { verdict: told, ...(consultationNumber !== undefined && { consultationNumber }) };
  }

  #verdict(number: VatNumber, result: ViesResult, held: CachedAnswers | undefined): Verdict {
    // Where none was given VIES has no requester to refuse: that is no sense, so no answer.
    const said: ViesAnswer | NoAnswer = result.kind === "requester-refused" ? UNREADABLE : result;
    return verdict(number, said, held, this.#now(), this.#options.lifetimes);
  }

  async #earlierConsultation(
    number: VatNumber,
    requester: Requester,
    accountId: string,
    validatedAt: string,
  ): Promise<string | undefined> {
    const earlier = await this.#options.store.consultation(
      accountId,
      number.vatNumber,
      requester.countryCode + requester.national,
    );
    return earlier?.validatedAt === validatedAt ? earlier.consultationNumber : undefined;
  }

  /** Waits for the flight of a number, but no longer than the caller may wait; the flight goes on for others. */
  async #within(
    deadlineMs: number,
    number: VatNumber,
    consulting: Consulting | undefined,
  ): Promise<FlightResult> {
    if (checkVatNumber(number).isMalformed) return { result: TIMED_OUT, held: undefined };
    const brought = await withTimeout(deadlineMs, this.#flight(deadlineMs, number, consulting));
    return brought ?? { result: TIMED_OUT, held: (await this.#read([number]))[0] };
  }

  /** One flight per number, and per requester and account: a consultation belongs to who asked. */
  #flight(deadlineMs: number, number: VatNumber, consulting: Consulting | undefined): Promise<FlightResult> {
    const { requester, accountId } = consulting ?? {};
    const by = requester === undefined ? "" : `${requester.countryCode}${requester.national} ${accountId}`;
    return this.#cache.fly(`${number.vatNumber} ${by}`, () =>
      this.#ask(AbortSignal.timeout(deadlineMs), number, consulting),
    );
  }

  /** Asks VIES, a second time where it must be confirmed, and keeps its answer. */
  async #ask(
    deadline: AbortSignal,
    number: VatNumber,
    consulting: Consulting | undefined,
  ): Promise<FlightResult> {
    const { ask, lifetimes, confirmAfterMs = CONFIRM_AFTER_MS } = this.#options;
    let result = await ask(number, consulting?.requester, deadline);
    // Read when the result has come: in its time another flight or process may have kept a newer one.
    const [held] = await this.#read([number]);
    if (result.kind === "answer" && contradicts(result, held, this.#now(), lifetimes)) {
      await pause(confirmAfterMs);
      result = await ask(number, consulting?.requester, deadline);
    }
    if (result.kind === "answer") await this.#keep(number, result, held, consulting);
    return { result, held };
  }

  async #keep(
    number: VatNumber,
    { valid, validatedAt, name, address, consultationNumber }: ViesAnswer,
    held: CachedAnswers | undefined,
    consulting: Consulting | undefined,
  ): Promise<void> {
    const { store } = this.#options;
    const { vatNumber } = number;
    const receivedAtMs = this.#now();
    const last: KeptAnswer = {
      valid,
      validatedAt,
      receivedAtMs,
      ...(name !== undefined && { name }),
      ...(address !== undefined && { address }),
    };
    const lastPositive = valid ? last : held?.lastPositive;
    await this.#cache.keep(
      vatNumber,
      () => store.keepVerdict(vatNumber, last),
      () => ({ last, ...(lastPositive !== undefined && { lastPositive }) }),
    );
    if (consulting !== undefined && consultationNumber !== undefined) {
      const { requester, accountId } = consulting;
      const consultation: Consultation = {
        accountId,
        vatNumber,
        requester: requester.countryCode + requester.national,
        validatedAt,
        consultationNumber,
        receivedAtMs,
      };
      await store.keepConsultation(consultation);
    }
    this.#forget(receivedAtMs);
  }

  /** What the store holds of numbers, in memory afterwards. */
  #read(numbers: readonly VatNumber[]): Promise<(CachedAnswers | undefined)[]> {
    return this.#cache.read(numbers.map(({ vatNumber }) => vatNumber));
  }

  /** Now and then has the store delete what is too old to be told; nobody waits for it. */
  #forget(nowMs: number): void {
    if (nowMs - this.#forgotAtMs < FORGET_EVERY_MS) return;
    this.#forgotAtMs = nowMs;
    const { store, lifetimes } = this.#options;
    const neededForMs = Math.max(lifetimes.staleForMs, lifetimes.freshForMs, lifetimes.refusalFreshForMs);
    store.forgetVerdicts(nowMs - neededForMs).catch(() => {
      this.#forgotAtMs = Number.NEGATIVE_INFINITY;
    });
  }
}

interface Consulting {
  readonly requester: Requester;
  readonly accountId: string;
}
