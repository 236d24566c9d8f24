import type { ByNeed, EnrichedFound } from "../company/views.ts";
import { isKvkNumber, type KvkNumber } from "../contract/numbers.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import type { Verdict } from "../vat/verdicts/verdict.ts";
import type { Verdicts } from "../vat/verdicts/verdicts.ts";
import { type Answer, andThen, type LookupResult, type MaybeLater, NO_REGISTRY } from "./answer.ts";
import type { Companies } from "./companies.ts";
import { vatNumberOf, withVerdict } from "./companyVat.ts";

/** What is told of one number of a batch, as it was sent; `invalid`: it is no KVK number. */
export interface BatchItem<Found> {
  readonly sent: string;
  readonly answer: Answer<Found> | { readonly kind: "invalid" };
}

export type BatchResult<Found> = LookupResult<readonly BatchItem<Found>[]>;

export interface BatchParts {
  readonly companies: Companies;
  readonly verdicts: Pick<Verdicts, "fromStore" | "ofBatchFromVies">;
  /** How long the caller of a batch waits for a live source. */
  readonly deadlineMs: number;
  /** Told of each verdict that is made up for an answer. */
  readonly onVerdict: (verdict: Verdict) => void;
}

type BatchNeed = "basic" | "enriched";
const INVALID = { kind: "invalid" } as const;

/** Many companies in one call: each number once, in memory, then with one question to the store, then side by side upstream. */
export class BatchLookup {
  readonly #companies: Companies;
  readonly #verdicts: BatchParts["verdicts"];
  readonly #deadlineMs: number;
  readonly #onVerdict: BatchParts["onVerdict"];

  constructor({ companies, verdicts, deadlineMs, onVerdict }: BatchParts) {
    this.#companies = companies;
    this.#verdicts = verdicts;
    this.#deadlineMs = deadlineMs;
    this.#onVerdict = onVerdict;
  }

  basic(sent: readonly string[]): MaybeLater<BatchResult<BasicCompany>> {
    return this.#lookUp("basic", sent);
  }

  enriched(sent: readonly string[]): MaybeLater<BatchResult<Company>> {
    return andThen(this.#lookUp("enriched", sent), (items) => this.#withVerdicts(items));
  }

  #lookUp<N extends BatchNeed>(need: N, sent: readonly string[]): MaybeLater<BatchResult<ByNeed[N]>> {
    if (!this.#companies.hasSource) return NO_REGISTRY;
    const numbers = [...new Set(sent)];
    const answers = new Map<string, Answer<ByNeed[N]>>();
    const missing: KvkNumber[] = [];
    for (const kvkNumber of numbers) {
      if (!isKvkNumber(kvkNumber)) continue;
      const answer = this.#companies.atOnce(need, kvkNumber);
      if (answer === undefined) missing.push(kvkNumber);
      else answers.set(kvkNumber, answer);
    }
    return missing.length === 0 ? itemsOf(numbers, answers) : this.#ask(need, numbers, answers, missing);
  }

  /** The numbers that memory alone does not tell: by the store, else by the live source. Completes `answers`. */
  async #ask<N extends BatchNeed>(
    need: N,
    numbers: readonly string[],
    answers: Map<string, Answer<ByNeed[N]>>,
    missing: readonly KvkNumber[],
  ): Promise<BatchResult<ByNeed[N]>> {
    const stored = await this.#companies.fromStore(need, missing);
    const unknown = missing.filter((kvkNumber, index) => {
      const answer = stored[index];
      if (answer !== undefined) answers.set(kvkNumber, answer);
      return answer === undefined;
    });
    if (unknown.length === 0) return itemsOf(numbers, answers);
    const deadlineMs = this.#deadlineMs;
    return {
      kind: "paid-work",
      run: async (accountId) => {
        await Promise.all(
          unknown.map(async (kvkNumber) => {
            const answer = await this.#companies.fromLive(need, kvkNumber, { accountId, deadlineMs });
            answers.set(kvkNumber, answer);
          }),
        );
        return itemsOf(numbers, answers);
      },
    };
  }

  /** With the verdicts on the companies' VAT numbers: those that are held, and the others by asking VIES side by side. */
  async #withVerdicts(items: readonly BatchItem<EnrichedFound>[]): Promise<BatchResult<Company>> {
    const asked = items.flatMap(({ answer }) =>
      answer.kind === "found" ? (vatNumberOf(answer.found)?.number ?? []) : [],
    );
    const held = await this.#verdicts.fromStore(asked);
    const known = new Map<string, Verdict>();
    for (const [index, { vatNumber }] of asked.entries()) {
      const verdict = held[index];
      if (verdict !== undefined) known.set(vatNumber, verdict);
    }
    const missing = asked.filter(({ vatNumber }) => !known.has(vatNumber));
    if (missing.length === 0) return this.#told(items, known);
    return {
      kind: "paid-work",
      run: async () => {
        const verdicts = await this.#verdicts.ofBatchFromVies(missing);
        for (const [index, { vatNumber }] of missing.entries()) {
          const verdict = verdicts[index];
          if (verdict !== undefined) known.set(vatNumber, verdict);
        }
        return this.#told(items, known);
      },
    };
  }

  /** The companies of a batch, each with the verdict on its number where there is one. */
  #told(
    items: readonly BatchItem<EnrichedFound>[],
    verdicts: ReadonlyMap<string, Verdict>,
  ): Answer<readonly BatchItem<Company>[]> {
    const found = items.map(({ sent, answer }): BatchItem<Company> => {
      if (answer.kind !== "found") return { sent, answer };
      const { company } = answer.found;
      const asked = vatNumberOf(answer.found);
      const verdict = asked && verdicts.get(asked.number.vatNumber);
      if (verdict !== undefined) this.#onVerdict(verdict);
      const complete = verdict ? withVerdict(company, asked, verdict) : company;
      return { sent, answer: { kind: "found", found: complete } };
    });
    return { kind: "found", found };
  }
}

function itemsOf<Found>(
  numbers: readonly string[],
  answers: ReadonlyMap<string, Answer<Found>>,
): Answer<readonly BatchItem<Found>[]> {
  const found = numbers.map((sent) => ({ sent, answer: answers.get(sent) ?? INVALID }));
  return { kind: "found", found };
}
