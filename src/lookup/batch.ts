import type { EnrichedFound, ViewResults } from "../company/views.ts";
import type { InsolvencyResult } from "../contract/insolvency.ts";
import { isKvkNumber, type KvkNumber } from "../contract/numbers.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import type { Verdict } from "../vat/verdicts/verdict.ts";
import type { Verdicts } from "../vat/verdicts/verdicts.ts";
import { type Answer, andThen, type LookupResult, type MaybePromise, NO_REGISTRY } from "./answer.ts";
import type { Companies } from "./companies.ts";
import { noCourtOf, withoutCurators } from "./companyInsolvency.ts";
import { type Additions, openDataOf, statedInsolvency, withAdditionsInBatch } from "./companyOpenData.ts";
import { vatNumberOf, withVerdict } from "./companyVat.ts";

/** The answer for one number of a batch, as it was sent; `invalid` when it is not a KVK number. */
export interface BatchItem<Found> {
  readonly sent: string;
  readonly answer: Answer<Found> | { readonly kind: "invalid" };
}

export type BatchResult<Found> = LookupResult<readonly BatchItem<Found>[]>;

export interface BatchParts extends Additions {
  readonly companies: Companies;
  readonly verdicts: Pick<Verdicts, "fromStore" | "ofBatchFromVies">;
  /** How long the caller of a batch waits for a live source. */
  readonly deadlineMs: number;
  /** Called with each verdict that is returned. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

type BatchNeed = "basic" | "enriched";
const INVALID = { kind: "invalid" } as const;

/**
 * Many companies in one call: each number once, from memory, then by one query of the store, then by parallel calls
 * upstream.
 */
export class BatchLookup {
  readonly #parts: BatchParts;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  enriched(sent: readonly string[]): MaybePromise<BatchResult<Company>> {
    const checked = andThen(this.lookUp("enriched", sent), (items) => this.#withVerdicts(items));
    return andThen(checked, (items) => withAdditionsInBatch(this.#parts, items));
  }

  /** The insolvency of companies, without curators. */
  insolvencies(sent: readonly string[]): MaybePromise<BatchResult<InsolvencyResult>> {
    return andThen(this.lookUp("basic", sent), (items) => this.#withInsolvency(items));
  }

  lookUp<N extends BatchNeed>(need: N, sent: readonly string[]): MaybePromise<BatchResult<ViewResults[N]>> {
    if (!this.#parts.companies.hasSource) return NO_REGISTRY;
    const numbers = [...new Set(sent)];
    const answers = new Map<string, Answer<ViewResults[N]>>();
    const missing: KvkNumber[] = [];
    for (const kvkNumber of numbers) {
      if (!isKvkNumber(kvkNumber)) continue;
      const answer = this.#parts.companies.atOnce(need, kvkNumber);
      if (answer === undefined) missing.push(kvkNumber);
      else answers.set(kvkNumber, answer);
    }
    return missing.length === 0
      ? itemsOf(numbers, answers)
      : this.#completeAnswers(need, numbers, answers, missing);
  }

  /** Completes `answers` with the missing companies, from the store, else from the live source. */
  async #completeAnswers<N extends BatchNeed>(
    need: N,
    numbers: readonly string[],
    answers: Map<string, Answer<ViewResults[N]>>,
    missing: readonly KvkNumber[],
  ): Promise<BatchResult<ViewResults[N]>> {
    const stored = await this.#parts.companies.fromStore(need, missing);
    const unknown = missing.filter((kvkNumber, index) => {
      const answer = stored[index];
      if (answer !== undefined) answers.set(kvkNumber, answer);
      return answer === undefined;
    });
    if (unknown.length === 0) return itemsOf(numbers, answers);
    const { companies, deadlineMs } = this.#parts;
    return {
      whenPaid: async ({ accountId }) => {
        await Promise.all(
          unknown.map(async (kvkNumber) => {
            const answer = await companies.fromLive(need, kvkNumber, { accountId, deadlineMs });
            answers.set(kvkNumber, answer);
          }),
        );
        return itemsOf(numbers, answers);
      },
    };
  }

  /** Adds the verdicts on VAT numbers: stored ones, the others by parallel calls to VIES. */
  async #withVerdicts(items: readonly BatchItem<EnrichedFound>[]): Promise<BatchResult<Company>> {
    const requested = items.flatMap(({ answer }) =>
      answer.kind === "found" ? (vatNumberOf(answer.found)?.number ?? []) : [],
    );
    const verdicts = new Map<string, Verdict>();
    const add = (numbers: typeof requested, found: readonly (Verdict | undefined)[]) => {
      for (const [index, { vatNumber }] of numbers.entries()) {
        const verdict = found[index];
        if (verdict !== undefined) verdicts.set(vatNumber, verdict);
      }
    };
    add(requested, await this.#parts.verdicts.fromStore(requested));
    const missing = requested.filter(({ vatNumber }) => !verdicts.has(vatNumber));
    if (missing.length === 0) return this.#complete(items, verdicts);
    return {
      whenPaid: async () => {
        add(missing, await this.#parts.verdicts.ofBatchFromVies(missing));
        return this.#complete(items, verdicts);
      },
    };
  }

  async #withInsolvency(
    items: readonly BatchItem<BasicCompany>[],
  ): Promise<Answer<readonly BatchItem<InsolvencyResult>[]>> {
    const { companies, insolvency: rule } = this.#parts;
    const noCourt = noCourtOf(rule);
    const numbers = items.flatMap(({ answer }) => (answer.kind === "found" ? answer.found.kvkNumber : []));
    const openData = await openDataOf(this.#parts, numbers);
    const found = items.map(({ sent, answer }): BatchItem<InsolvencyResult> => {
      if (answer.kind !== "found") return { sent, answer };
      if (noCourt !== undefined) return { sent, answer: noCourt };
      const { kvkNumber, name } = answer.found;
      const subject = companies.facts(kvkNumber) ?? answer.found;
      const insolvency = rule?.of(subject, statedInsolvency(openData.get(kvkNumber)));
      const result = withoutCurators({ kvkNumber, name, ...known("insolvency", insolvency) });
      return { sent, answer: { kind: "found", found: result } };
    });
    return { kind: "found", found };
  }

  #complete(
    items: readonly BatchItem<EnrichedFound>[],
    verdicts: ReadonlyMap<string, Verdict>,
  ): Answer<readonly BatchItem<Company>[]> {
    const found = items.map(({ sent, answer }): BatchItem<Company> => {
      if (answer.kind !== "found") return { sent, answer };
      const { company } = answer.found;
      const derived = vatNumberOf(answer.found);
      const verdict = derived && verdicts.get(derived.number.vatNumber);
      if (derived === undefined || verdict === undefined)
        return { sent, answer: { kind: "found", found: company } };
      this.#parts.onVerdict?.(verdict);
      return { sent, answer: { kind: "found", found: withVerdict(company, derived, verdict) } };
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
