import { withTimeout } from "../../lib/deadline.ts";
import { SingleFlightCache } from "../../lib/singleFlightCache.ts";
import type { ObserveWait } from "../../upstream/observe.ts";
import { checkVatNumber } from "../numbers/check.ts";
import type { VatNumber } from "../numbers/parse.ts";
import { NOT_ASKED, TIMED_OUT, UNREADABLE } from "../vies/codes.ts";
import type { NoAnswer, ViesAnswer, ViesResult } from "../vies/results.ts";
import type { Requester } from "../vies/upstream.ts";
import { type Consulting, type FlightResult, isNewerAnswer, type VerdictFlights } from "./flights.ts";
import type { CachedAnswers, VerdictStore } from "./store.ts";
import { type Lifetimes, type Verdict, verdict, verdictAtOnce } from "./verdict.ts";

export interface VerdictsOptions {
  readonly store: Pick<VerdictStore, "findVerdicts" | "consultation">;
  readonly flights: VerdictFlights;
  readonly lifetimes: Lifetimes;
  /** How long a caller waits for VIES at most, retries included, milliseconds. */
  readonly deadlineMs: number;
  /** How long the callers of a batch wait, for all its numbers together. */
  readonly batchDeadlineMs: number;
  readonly now?: () => number;
  /** Observes the waits for VIES. */
  readonly observe?: ObserveWait | undefined;
}

/** A consultation in the name of a requester. */
export interface Consulted {
  readonly verdict: Verdict;
  readonly consultationNumber?: string;
}

/** A fresh verdict should cost no question to the store. */
const MOST_IN_MEMORY = 20_000;

/**
 * Verdicts on VAT numbers: from what is held while it is fresh, else by a flight to VIES, for which each caller waits no longer than
 * it may.
 */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #now: () => number;
  readonly #cache: SingleFlightCache<CachedAnswers, never>;

  constructor(options: VerdictsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new SingleFlightCache({
      mostInMemory: MOST_IN_MEMORY,
      read: (vatNumbers) => options.store.findVerdicts(vatNumbers),
      isNewer: isNewerAnswer,
    });
    options.flights.onKept((vatNumber, answers) => this.#cache.note(vatNumber, answers));
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
    if (this.#options.flights.permits(number.countryCode)) return undefined;
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
    const { flights, observe = (work) => work() } = this.#options;
    const flight = observe(
      () => flights.fly(number, deadlineMs, consulting),
      ({ result }) => result.kind,
    );
    const brought = await withTimeout(deadlineMs, flight);
    return brought ?? { result: TIMED_OUT, held: (await this.#read([number]))[0] };
  }

  /** What the store holds of numbers, in memory afterwards. */
  #read(numbers: readonly VatNumber[]): Promise<(CachedAnswers | undefined)[]> {
    return this.#cache.read(numbers.map(({ vatNumber }) => vatNumber));
  }
}
