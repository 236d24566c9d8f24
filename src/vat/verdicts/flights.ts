import { setTimeout as pause } from "node:timers/promises";
import { SingleFlightCache } from "../../lib/singleFlightCache.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import type { ViesAnswer, ViesResult } from "../vies/results.ts";
import type { Requester } from "../vies/upstream.ts";
import type { CachedAnswers, Consultation, KeptAnswer, VerdictStore } from "./store.ts";
import { contradicts, type Lifetimes } from "./verdict.ts";

/** Who asks, when it is done in the name of a requester. */
export interface Consulting {
  readonly requester: Requester;
  readonly accountId: string;
}

/** What a flight to VIES brought, and what was held of the number by then. */
export interface FlightResult {
  readonly result: ViesResult;
  readonly held: CachedAnswers | undefined;
}

/** VIES, asked once about each number however many callers want to know. */
export interface VerdictFlights {
  /** Whether VIES would be asked about a number of this state now. */
  permits(state: StateCode): boolean;
  /**
   * What the flight of a number brings, which is begun when none is under way and ends `deadlineMs` after that; what it brings is kept before anybody is
   * told.
   * @throws {StoreUnavailable} when it cannot be kept
   */
  fly(number: VatNumber, deadlineMs: number, consulting: Consulting | undefined): Promise<FlightResult>;
  /** Has a listener told of each answer that was kept, before who waits for it. */
  onKept(listener: (vatNumber: string, answers: CachedAnswers) => void): void;
}

export interface ViesFlightsOptions {
  readonly store: Pick<VerdictStore, "findVerdicts" | "keepVerdict" | "keepConsultation" | "forgetVerdicts">;
  /** VIES's result on a number before `deadline` ends. Never rejects. */
  readonly ask: (
    number: VatNumber,
    requester: Requester | undefined,
    deadline: AbortSignal,
  ) => Promise<ViesResult>;
  /** Whether VIES would be asked about a number of this state now; always, unless it is given. */
  readonly permits?: (state: StateCode) => boolean;
  readonly lifetimes: Lifetimes;
  readonly now?: () => number;
  /** Before a refusal of what was valid is asked again: a sick register may have recovered. Milliseconds. */
  readonly confirmAfterMs?: number;
}

const CONFIRM_AFTER_MS = 500;
const FORGET_EVERY_MS = 60_000;
/** 100,000 answers a minute at most: more than come. */
const MOST_FORGET_STEPS = 200;

export function isNewerAnswer(one: CachedAnswers, other: CachedAnswers): boolean {
  return one.last.receivedAtMs > other.last.receivedAtMs;
}

/**
 * Flights to VIES: one for each number, and for each requester and account, as a consultation belongs to who asked. A refusal of what was valid is
 * confirmed first; an answer is kept before anybody is told. What is held in memory is the business of who asks.
 */
export class ViesFlights implements VerdictFlights {
  readonly #options: ViesFlightsOptions;
  readonly #now: () => number;
  readonly #cache: SingleFlightCache<CachedAnswers, FlightResult>;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ViesFlightsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new SingleFlightCache({
      mostInMemory: 0,
      read: (vatNumbers) => options.store.findVerdicts(vatNumbers),
      isNewer: isNewerAnswer,
    });
  }

  permits(state: StateCode): boolean {
    return this.#options.permits?.(state) !== false;
  }

  onKept(listener: (vatNumber: string, answers: CachedAnswers) => void): void {
    this.#cache.onKept(listener);
  }

  fly(number: VatNumber, deadlineMs: number, consulting: Consulting | undefined): Promise<FlightResult> {
    const { requester, accountId } = consulting ?? {};
    const by = requester === undefined ? "" : `${requester.countryCode}${requester.national} ${accountId}`;
    const flight = `${number.vatNumber} ${by}`;
    return this.#cache.fly(flight, () => this.#ask(AbortSignal.timeout(deadlineMs), number, consulting));
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
    const [held] = await this.#cache.read([number.vatNumber]);
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

  /** Now and then has the store delete what is too old to be told; nobody waits for it. */
  #forget(nowMs: number): void {
    if (nowMs - this.#forgotAtMs < FORGET_EVERY_MS) return;
    this.#forgotAtMs = nowMs;
    const { lifetimes } = this.#options;
    const neededForMs = Math.max(lifetimes.staleForMs, lifetimes.freshForMs, lifetimes.refusalFreshForMs);
    this.#forgetBefore(nowMs - neededForMs).catch(() => {
      this.#forgotAtMs = Number.NEGATIVE_INFINITY;
    });
  }

  /** Some at a time, so that no call waits long for the store; what is left waits for the next time. */
  async #forgetBefore(beforeMs: number): Promise<void> {
    for (let step = 0; step < MOST_FORGET_STEPS; step++) {
      if (!(await this.#options.store.forgetVerdicts(beforeMs))) return;
    }
  }
}
