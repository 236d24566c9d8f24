import type { BranchesFound, EnrichedFound } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, BasicCompany, BranchList, Company } from "../contract/resources.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import type { CheckedVatNumber, VatNumber } from "../vat/numbers/parse.ts";
import type { Verdict } from "../vat/verdicts/verdict.ts";
import type { Verdicts } from "../vat/verdicts/verdicts.ts";
import type { Requester } from "../vat/vies/upstream.ts";
import { type Answer, andThen, type LookupResult, type MaybeLater, type SearchResult } from "./answer.ts";
import { BatchLookup, type BatchResult } from "./batch.ts";
import type { Companies } from "./companies.ts";
import { type CompanyVatNumber, vatNumberOf, withVerdict } from "./companyVat.ts";
import type { Completion } from "./completion.ts";
import type { CompanyFinder } from "./finding.ts";
import { allowedVerdict, NOTHING_SUPPRESSED, type SuppressedVatNumbers } from "./suppression/suppressed.ts";
import type { VatQuestion } from "./vatQuestion.ts";

/** Verdicts, of VIES or of test data. */
export type VerdictSource = Pick<
  Verdicts,
  "fromMemory" | "fromStore" | "fromVies" | "ofBatchFromVies" | "consult"
>;

export interface LookupParts {
  readonly companies: Companies;
  readonly finder: CompanyFinder;
  /** Completes searches of the snapshot; left out, they are told as they are. */
  readonly completion?: Completion | undefined;
  readonly verdicts: VerdictSource;
  /** How long callers wait for a live source. */
  readonly liveWaits: { readonly oneMs: number; readonly batchMs: number };
  readonly suppressed?: SuppressedVatNumbers;
  /** Told of each verdict that is made up for an answer. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

/** How old what is told may be, milliseconds; undefined leaves that to the operator's settings. */
export interface MaxAges {
  readonly maxAgeMs: number | undefined;
  readonly vatMaxAgeMs: number | undefined;
}

/** Nobody told the branches of a company. */
export interface BranchesUnknown {
  readonly kvkNumber: KvkNumber;
  /** Who told of the company itself. */
  readonly origin: string;
  /** Whether a live source was there to be asked: another time it may tell them. */
  readonly hasLiveSource: boolean;
}

/** A verdict on a VAT number. */
export interface VatVerdict {
  /** Normalised. */
  readonly vatNumber: string;
  readonly verdict: Verdict;
  /** Proof that VIES was asked in the name of a requester. */
  readonly consultationNumber?: string;
}

/** VIES does not accept the one in whose name it was asked. */
export interface RequesterRefused {
  readonly requesterRefused: string;
}

/** What answers endpoints: the registry and VIES, or what stands in for them. */
export type Lookups = Pick<
  Lookup,
  | "snapshotInfo"
  | "isSearchLive"
  | "basic"
  | "enriched"
  | "branches"
  | "basicBatch"
  | "enrichedBatch"
  | "verdict"
  | "autocomplete"
  | "search"
>;

/**
 * What endpoints ask for, each thing by one call. Everything is looked up in one order: what this process holds, then what the
 * state store holds, then an upstream. The first is answered at once, the second by a promise, and the third is given back as
 * work that is begun only when it is paid for.
 */
export class Lookup {
  readonly #companies: Companies;
  readonly #finder: CompanyFinder;
  readonly #completion: Completion | undefined;
  readonly #verdicts: VerdictSource;
  readonly #oneMs: number;
  readonly #suppressed: SuppressedVatNumbers;
  readonly #batches: BatchLookup;
  readonly #onVerdict: NonNullable<LookupParts["onVerdict"]>;

  constructor(parts: LookupParts) {
    const { companies, finder, completion, verdicts, liveWaits, suppressed, onVerdict = () => {} } = parts;
    this.#companies = companies;
    this.#finder = finder;
    this.#completion = completion;
    this.#verdicts = verdicts;
    this.#oneMs = liveWaits.oneMs;
    this.#suppressed = suppressed ?? NOTHING_SUPPRESSED;
    this.#batches = new BatchLookup({ companies, verdicts, deadlineMs: liveWaits.batchMs, onVerdict });
    this.#onVerdict = onVerdict;
  }

  /** What is known of the snapshot; undefined when there is none. */
  get snapshotInfo(): Companies["snapshotInfo"] {
    return this.#companies.snapshotInfo;
  }

  /** Whether searches go to the live source now, which cannot narrow by {@link NOT_LIVE}, nor to ended companies alone. */
  get isSearchLive(): boolean {
    return this.#finder.isLive;
  }

  basic(kvkNumber: KvkNumber, maxAgeMs: number | undefined): MaybeLater<LookupResult<BasicCompany>> {
    return this.#companies.lookUp("basic", kvkNumber, maxAgeMs, this.#oneMs);
  }

  /** All that is known of a company, with the verdict on its VAT number where it has one. */
  enriched(kvkNumber: KvkNumber, { maxAgeMs, vatMaxAgeMs }: MaxAges): MaybeLater<LookupResult<Company>> {
    const company = this.#companies.lookUp("enriched", kvkNumber, maxAgeMs, this.#oneMs);
    // The usual way, without a closure.
    if (!(company instanceof Promise) && company.kind === "found") {
      return this.#withVerdict(company.found, vatMaxAgeMs);
    }
    return andThen(company, (found) => this.#withVerdict(found, vatMaxAgeMs));
  }

  branches(
    kvkNumber: KvkNumber,
    maxAgeMs: number | undefined,
  ): MaybeLater<LookupResult<BranchList | BranchesUnknown>> {
    const company = this.#companies.lookUp("branches", kvkNumber, maxAgeMs, this.#oneMs);
    return andThen(company, (found) => ({ kind: "found", found: this.#branchList(found) }));
  }

  /** Basic companies by numbers as they were sent, each looked up once and told in the order of the request. */
  basicBatch(sent: readonly string[]): MaybeLater<BatchResult<BasicCompany>> {
    return this.#batches.basic(sent);
  }

  /** The same with all that is known of each. */
  enrichedBatch(sent: readonly string[]): MaybeLater<BatchResult<Company>> {
    return this.#batches.enriched(sent);
  }

  /**
   * The verdict on a VAT number. In the name of a requester VIES is asked now, whatever is held.
   * @param maxAgeMs narrows how old a fresh answer may be; 0 asks VIES now
   */
  verdict(
    { number, requester }: VatQuestion,
    maxAgeMs: number | undefined,
  ): MaybeLater<LookupResult<VatVerdict | RequesterRefused>> {
    if (requester !== undefined) return this.#consult(number, requester);
    const known = this.#verdicts.fromMemory(number, maxAgeMs);
    if (known !== undefined) return this.#verdictOn(number, known);
    return andThen(this.#askForVerdict(number, maxAgeMs), (verdict) => this.#verdictOn(number, verdict));
  }

  autocomplete(q: string, limit: number): SearchResult<AutocompleteItem[]> {
    return this.#finder.autocomplete(q, limit);
  }

  search(criteria: SearchCriteria): SearchResult<FoundPage> {
    const found = this.#finder.search(criteria);
    return this.#completion === undefined ? found : this.#completion.completed(found, criteria);
  }

  #withVerdict(found: EnrichedFound, maxAgeMs: number | undefined): MaybeLater<LookupResult<Company>> {
    const { company } = found;
    const asked = vatNumberOf(found);
    if (asked === undefined) return { kind: "found", found: company };
    const known = this.#verdicts.fromMemory(asked.number, maxAgeMs);
    if (known !== undefined) return this.#complete(company, asked, known);
    return andThen(this.#askForVerdict(asked.number, maxAgeMs), (verdict) =>
      this.#complete(company, asked, verdict),
    );
  }

  #complete(company: Company, asked: CompanyVatNumber, verdict: Verdict): Answer<Company> {
    this.#onVerdict(verdict);
    return { kind: "found", found: withVerdict(company, asked, verdict) };
  }

  /** A verdict that memory alone does not tell: by the store, else by VIES. */
  async #askForVerdict(
    number: CheckedVatNumber,
    maxAgeMs: number | undefined,
  ): Promise<LookupResult<Verdict>> {
    const [stored] = await this.#verdicts.fromStore([number], maxAgeMs);
    if (stored !== undefined) return { kind: "found", found: stored };
    return {
      kind: "paid-work",
      run: async () => ({ kind: "found", found: await this.#verdicts.fromVies(number) }),
    };
  }

  #consult(number: CheckedVatNumber, requester: Requester): LookupResult<VatVerdict | RequesterRefused> {
    if (number.check.isMalformed) {
      return this.#verdictOn(number, { status: "malformed", valid: false, checksumValid: false });
    }
    return {
      kind: "paid-work",
      run: async (accountId) => {
        const consulted = await this.#verdicts.consult(number, requester, accountId);
        if ("requesterRefused" in consulted) return { kind: "found", found: consulted };
        return this.#verdictOn(number, consulted.verdict, consulted.consultationNumber);
      },
    };
  }

  #verdictOn({ vatNumber }: VatNumber, verdict: Verdict, consultationNumber?: string): Answer<VatVerdict> {
    const told = allowedVerdict(this.#suppressed, vatNumber, verdict);
    this.#onVerdict(told);
    const consultation = consultationNumber === undefined ? undefined : { consultationNumber };
    return { kind: "found", found: { vatNumber, verdict: told, ...consultation } };
  }

  #branchList({ kvkNumber, name, branches, origin }: BranchesFound): BranchList | BranchesUnknown {
    if (branches !== undefined) return { kvkNumber, name, branches };
    return { kvkNumber, origin, hasLiveSource: this.#companies.hasLiveSource };
  }
}
