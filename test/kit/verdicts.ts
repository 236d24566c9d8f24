import type { VatNumber } from "../../src/vat/numbers/parse.ts";
import type { VerdictQueries } from "../../src/vat/queries.ts";
import type { CachedAnswer, CachedAnswers, Consultation } from "../../src/vat/stored.ts";
import { Verdicts, type VerdictsOptions } from "../../src/vat/verdicts/verdicts.ts";
import type { ViesResult } from "../../src/vat/vies/results.ts";
import type { Requester } from "../../src/vat/vies/upstream.ts";

export const NOW_MS = Date.parse("2026-11-11T11:11:11.000Z");
export const SECOND = 1_000;
export const DAY = 86_400 * SECOND;
/** The service's defaults. */
export const LIFETIMES = {
  freshForMs: 3_600 * SECOND,
  refusalFreshForMs: 300 * SECOND,
  staleForMs: 30 * DAY,
};
/** Far longer than any test here takes, even on a machine that stalls for seconds. */
export const LONG_MS = 120_000;

/** An answer received `ageMs` ago; VIES's clock is ten seconds behind. */
export function kept(valid: boolean, ageMs: number, more: Partial<CachedAnswer> = {}): CachedAnswer {
  const receivedAtMs = NOW_MS - ageMs;
  return { valid, validatedAt: new Date(receivedAtMs - 10 * SECOND).toISOString(), receivedAtMs, ...more };
}

export class Unavailable extends Error {}

/** A store in memory that can be made to fail or to wait. */
export class MemoryStore implements VerdictQueries {
  readonly held = new Map<string, CachedAnswers>();
  readonly consultations: Consultation[] = [];
  readonly forgotten: number[] = [];
  /** The number of further calls after which nothing is left to delete. */
  steps = 0;
  reads = 0;
  keeps = 0;
  /** Called at the start of each method; if it throws, the method rejects with that error. */
  before: (method: keyof VerdictQueries) => void | Promise<void> = () => undefined;

  async findVerdicts(vatNumbers: readonly string[]) {
    this.reads += 1;
    await this.before("findVerdicts");
    return vatNumbers.map((vatNumber) => this.held.get(vatNumber) ?? null);
  }

  async storeVerdict(vatNumber: string, answer: CachedAnswer) {
    await this.before("storeVerdict");
    this.keeps += 1;
    this.put(vatNumber, answer);
  }

  put(vatNumber: string, answer: CachedAnswer): void {
    const before = this.held.get(vatNumber);
    if (before !== undefined && before.last.receivedAtMs > answer.receivedAtMs) return;
    const lastPositive = answer.valid ? answer : before?.lastPositive;
    this.held.set(vatNumber, { last: answer, ...(lastPositive !== undefined && { lastPositive }) });
  }

  async storeConsultation(consultation: Consultation) {
    await this.before("storeConsultation");
    this.consultations.push(consultation);
  }

  async consultation(accountId: string, vatNumber: string, requester: string) {
    await this.before("consultation");
    const own = this.consultations.filter(
      (one) => one.accountId === accountId && one.vatNumber === vatNumber && one.requester === requester,
    );
    return own.at(-1) ?? null;
  }

  async deleteVerdicts(beforeMs: number) {
    this.forgotten.push(beforeMs);
    await this.before("deleteVerdicts");
    return this.steps-- > 0;
  }
}

export interface VerdictQuery {
  readonly number: VatNumber;
  readonly requester: Requester | undefined;
  readonly deadline: AbortSignal;
  answer(word: ViesResult): void;
}

/** Verdicts with a store in memory, a settable clock, and a VIES whose answers are scripted or given call by call. */
export function stage({ words, ...more }: Partial<VerdictsOptions> & { words?: readonly ViesResult[] } = {}) {
  const clock = { nowMs: NOW_MS };
  const store = new MemoryStore();
  const asked: VerdictQuery[] = [];
  const verdicts = new Verdicts({
    ask: (number, requester, deadline) => {
      const { promise, resolve } = Promise.withResolvers<ViesResult>();
      asked.push({ number, requester, deadline, answer: resolve });
      const word = words?.[Math.min(asked.length, words.length) - 1];
      if (word !== undefined) resolve(word);
      return promise;
    },
    lifetimes: LIFETIMES,
    deadlineMs: LONG_MS,
    batchDeadlineMs: LONG_MS,
    now: () => clock.nowMs,
    confirmAfterMs: 0,
    store,
    ...more,
  });
  return { clock, store, asked, verdicts };
}
